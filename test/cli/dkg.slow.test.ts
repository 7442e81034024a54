// The ceremony of `heddle dkg` among processes, one of them faulty.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfigurationFile } from '../../src/cli/validators/configuration-file.js';
import { sealEvaluation } from '../../src/crypto/dkg/sealed-share.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { SealedShare } from '../../src/generated/ledger.js';
import { freePorts } from '../support/free-ports.js';
import { joinFaultily } from '../support/networks/faulty-participant.js';
import { initValidator } from '../support/networks/init-validator.js';
import { heddle } from '../support/nodes/command-line.js';
import { runHeddle } from '../support/nodes/node-process.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const directory = temporaryDirectory();
after(() => removeDirectory(directory));

test('dkg among processes names a participant that deals garbage, and goes on once it stops', {
  timeout: 240_000,
}, async () => {
  const validators = [];
  for (const [i, port] of (await freePorts(4)).entries()) {
    validators.push(await initValidator(join(directory, `${i}`), `127.0.0.1:${port}`));
  }
  const file = join(directory, 'validators.json');
  writeFileSync(file, `[${validators.map(({ line }) => line).join(',')}]`);
  const config = join(directory, 'config.json');
  await heddle(['init', '--validators', file, '--dev-accounts', '--out', config]);
  const [last, honest] = [validators[3] ?? assert.fail(), validators.slice(0, 3)];
  const configuration = readConfigurationFile(config);
  const random = (length: number) => Uint8Array.from(randomBytes(length));
  const sealing = { crypto: await loadCrypto('auto'), bls: await loadBls('auto'), random };
  let garbage: SealedShare[] | undefined;
  const leave = await joinFaultily({
    home: last.home,
    configuration,
    index: 3,
    alter: ({ attempt, body }, to) => {
      if (attempt > 1) return undefined;
      if (body.type === 'evaluation' && to === 1) return { ...body, value: new Uint8Array(32).fill(1) };
      if (body.type !== 'sealed') return undefined;
      // The same to all: otherwise two messages would be its fault.
      garbage ??= body.value.map(({ player }) => {
        const key = configuration.validators[player]?.encryption_key ?? assert.fail('no such player');
        const context = { chainId: configuration.chain_id, epoch: 0n, dealer: 3, player };
        return { player, ...sealEvaluation(sealing, context, key, 7n) };
      });
      return { ...body, value: garbage };
    },
  });
  try {
    const ends = await Promise.all(
      honest.map(({ home }) =>
        runHeddle(['dkg', '--config', config, '--validator', home], { timeoutMs: 200_000 }),
      ),
    );
    for (const { code, stdout, stderr } of ends) {
      assert.equal(code, 0, stderr);
      assert.equal(stdout, ends[0]?.stdout);
      assert.match(stderr, /attempt 1 failed: participant 3 dealt a wrong evaluation, and sealed another/);
    }
  } finally {
    await leave();
  }
  const geneses = honest.map(({ home }) => readFileSync(join(home, 'genesis.json'), 'utf8'));
  assert.equal(new Set(geneses).size, 1);
  // A share of another validator, and a genesis with another signature, do not start.
  const [one, two] = honest;
  const own = readFileSync(join(one?.home ?? '', 'share.json'), 'utf8');
  writeFileSync(join(one?.home ?? '', 'share.json'), readFileSync(join(two?.home ?? '', 'share.json')));
  const start = ['start', '--validator', one?.home ?? '', '--port', '0', '--log-format', 'json'];
  const mismatched = await runHeddle(start);
  assert.equal(mismatched.code, 1);
  assert.match(mismatched.stderr + mismatched.stdout, /share\.json: it belongs to validator 1 in epoch 0/);
  writeFileSync(join(one?.home ?? '', 'share.json'), own);
  const genesis = JSON.parse(geneses[0] ?? '') as { ceremony: { signatures: string[] } };
  genesis.ceremony.signatures.reverse();
  writeFileSync(join(one?.home ?? '', 'genesis.json'), JSON.stringify(genesis));
  const altered = await runHeddle(start);
  assert.equal(altered.code, 1);
  assert.match(altered.stderr + altered.stdout, /ceremony: validator 0 did not sign this genesis/);
  const light = await heddle(['light', 'tip', '--genesis', join(one?.home ?? '', 'genesis.json')]);
  assert.equal(light.code, 2);
  assert.match(light.err, /ceremony: validator 0 did not sign this genesis/);
});
