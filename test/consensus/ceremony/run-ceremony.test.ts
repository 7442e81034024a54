import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { SILENT_LOG } from '../../../src/cli/silent-log.js';
import { configurationHash } from '../../../src/consensus/ceremony/configuration.js';
import { type CeremonyRunOptions, runCeremony } from '../../../src/consensus/ceremony/run-ceremony.js';
import {
  type BegunAttempt,
  readAttempts,
  writeAttempts,
} from '../../../src/consensus/files/attempts-file.js';
import { ceremonyRecordFile } from '../../../src/consensus/files/record-file.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import { CeremonyNetwork } from '../../support/networks/ceremony-network.js';
import { validatorWorld } from '../../support/networks/validators.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

const world = validatorWorld(3);
const MEMBERS = [0, 1, 2];
const configuration = world.configuration(MEMBERS);
const own = configurationHash(world.crypto, configuration);
const other = new Uint8Array(32).fill(5);
describe('a started ceremony', () => {
  const directory = temporaryDirectory();
  const paths = validatorPaths(directory);
  after(() => removeDirectory(directory));

  /** Starts participant 0 and stops it after its first event, or fails with another error. */
  async function startAndStop(): Promise<void> {
    const { identity_key: publicKey, address, encryption } = world.identity(0);
    const seed = world.crypto.sha256(new TextEncoder().encode('test identity 0'));
    const options: CeremonyRunOptions = {
      crypto: world.crypto,
      bls: world.bls,
      log: SILENT_LOG,
      configuration,
      encryption,
      paths,
      identity: { seed, publicKey, address },
      listen: { host: '127.0.0.1', port: 0 },
      lingerMs: 0,
      onProgress: () => undefined,
      signal: AbortSignal.abort(new Error('stopped')),
    };
    try {
      await runCeremony(options);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'stopped') throw error;
    }
  }

  const first: BegunAttempt = { attempt: 1, hasDealt: false, reason: new Uint8Array(0), gathered: [] };

  test('a restarted participant takes up its attempt, unless it has dealt in it', async () => {
    await startAndStop();
    await startAndStop();
    assert.deepEqual(readAttempts(paths.attempts), { ...first, configuration: own });
    const gathered = [Uint8Array.of(1, 2), new Uint8Array(0)];
    await writeAttempts(paths.attempts, { ...first, hasDealt: true, gathered, configuration: own });
    await startAndStop();
    const { attempt, hasDealt, reason, gathered: kept } = readAttempts(paths.attempts) ?? assert.fail();
    assert.deepEqual({ attempt, hasDealt, kept }, { attempt: 2, hasDealt: false, kept: gathered });
    await startAndStop();
    assert.deepEqual(readAttempts(paths.attempts)?.reason, reason);
  });

  test('attempts of another configuration do not count, but a record of one must be given up by hand', async () => {
    await writeAttempts(paths.attempts, { ...first, attempt: 9, configuration: other });
    await startAndStop();
    assert.deepEqual(readAttempts(paths.attempts), { ...first, configuration: own });

    const ceremony = new CeremonyNetwork({ world, members: MEMBERS, seed: 1 });
    ceremony.run(2_000);
    await ceremonyRecordFile(paths.ceremony, undefined).write(ceremony.ends[0]?.record ?? assert.fail());
    await writeAttempts(paths.attempts, { ...first, attempt: 9, configuration: other });
    await assert.rejects(
      startAndStop(),
      /ceremony-record\.json: belongs to a ceremony with another configuration/,
    );
    assert.equal(readAttempts(paths.attempts)?.attempt, 9);
  });
});
