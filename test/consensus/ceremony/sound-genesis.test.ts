import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { expectSoundGenesis } from '../../../src/consensus/ceremony/sound-genesis.js';
import { dealerGenesis } from '../../../src/consensus/dealer-genesis.js';
import type { Genesis } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { GenesisError } from '../../../src/ledger/genesis.js';
import { ownGenesis, trustOf } from '../../../src/node/follower/trust-anchor.js';
import { defaultConfig } from '../../support/default-config.js';
import { CeremonyNetwork } from '../../support/networks/ceremony-network.js';
import { validatorWorld } from '../../support/networks/validators.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

describe('a genesis', () => {
  const world = validatorWorld(3);
  const ceremony = new CeremonyNetwork({ world, members: [0, 1], seed: 4 });
  ceremony.run(2_000);
  const born = ceremony.ends[0]?.genesis ?? assert.fail();
  const { genesis: dealt } = dealerGenesis(world, world.configuration([0, 1, 2, 3]));
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));

  const check = (genesis: Genesis) => expectSoundGenesis(genesis, world.crypto, 'auto', 'file');
  const withFirst = (genesis: Genesis, changed: Partial<Genesis['validator_set']['validators'][number]>) => {
    const [first, ...others] = genesis.validator_set.validators;
    assert.ok(first);
    const validators = [{ ...first, ...changed }, ...others];
    return { ...genesis, validator_set: { ...genesis.validator_set, validators } };
  };
  const otherKey = world.bls.publicKey(new Uint8Array(32).fill(1));

  test('keys of a ceremony, a dealer and a development chain are accepted', async () => {
    for (const genesis of [born, dealt, devGenesis(world.crypto)]) await check(genesis);
  });

  test('a genesis is refused with the file and the broken rule', async () => {
    const { ceremony: made, ...without } = born;
    assert.ok(made);
    for (const [genesis, problem] of [
      [withFirst(dealt, { share_public_key: otherKey }), /^file: validator_set: the share public keys up to/],
      [
        withFirst(born, { share_public_key: otherKey }),
        /^file: ceremony: the validator set does not follow from the dealings/,
      ],
      [
        { ...dealt, encryption_keys: dealt.encryption_keys?.with(1, new Uint8Array(48)) ?? [] },
        /^file: encryption_keys: the encryption key of validator 1 is not a valid point/,
      ],
      [{ ...born, chain_id: 8n }, /^file: ceremony: validator 0 did not sign this genesis/],
      [
        { ...born, ceremony: { ...made, dealings: made.dealings.slice(1) } },
        /^file: ceremony: expected dealings of 2 dealers, got 1/,
      ],
      [{ ...without, ceremony: { dealings: [], signatures: [] } }, /^file: ceremony: expected dealings of 2/],
    ] as const) {
      await assert.rejects(check(genesis), (error: unknown) => {
        assert.ok(error instanceof GenesisError);
        assert.match(error.message, problem);
        return true;
      });
    }
  });

  test('a node and a follower refuse a genesis file whose ceremony is not signed', async () => {
    const good = join(directory, 'good.json');
    const bad = join(directory, 'bad.json');
    writeFileSync(good, ledger.Genesis.toJson(born));
    writeFileSync(bad, ledger.Genesis.toJson({ ...born, timestamp_ms: 5n }));
    const { group_public_key: key } = born.validator_set;
    assert.equal(
      (await ownGenesis(defaultConfig({ genesisFile: good }), world.crypto)).chain_id,
      born.chain_id,
    );
    const trusted = await trustOf(defaultConfig({ trust: good }), world.crypto);
    assert.deepEqual(trusted.groupPublicKey, key);
    const problem = /bad\.json: ceremony: validator 0 did not sign this genesis/;
    const trust = Buffer.from(key).toString('hex');
    await assert.rejects(ownGenesis(defaultConfig({ genesisFile: bad }), world.crypto), problem);
    await assert.rejects(trustOf(defaultConfig({ trust: bad }), world.crypto), problem);
    await assert.rejects(trustOf(defaultConfig({ trust, genesisFile: bad }), world.crypto), problem);
  });
});
