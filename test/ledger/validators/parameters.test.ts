import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../../../src/ledger/codecs.js';
import { genesisExtra, parametersOf } from '../../../src/ledger/validators/parameters.js';

const DOMAIN = Buffer.from('heddle/parameters/1');

test('block 0 yields the parameters of its genesis', () => {
  const cases: readonly Parameters<typeof genesisExtra>[0][] = [
    {},
    { epoch_length: 2n },
    { epoch_length: 10_000n },
    { epoch_length: 2n ** 64n - 1n },
    { ceremony: { dealings: [], signatures: [] } },
  ];
  for (const genesis of cases) {
    assert.deepEqual(parametersOf({ extra: genesisExtra(genesis) }), {
      epoch_length: genesis.epoch_length ?? 10_000n,
      ceremony: genesis.ceremony !== undefined,
    });
  }
});

test('a block 0 without parameters means the defaults', () => {
  for (const extra of [Buffer.alloc(0), Buffer.from('anything'), DOMAIN.subarray(1)]) {
    assert.deepEqual(parametersOf({ extra }), { epoch_length: 10_000n, ceremony: false });
  }
});

test('an epoch shorter than any genesis allows is refused, and so is an invalid encoding', () => {
  for (const epoch_length of [0n, 1n]) {
    const extra = Buffer.concat([
      DOMAIN,
      ledger.ConsensusParameters.encode({ epoch_length, ceremony: false }),
    ]);
    assert.throws(() => parametersOf({ extra }), {
      name: 'BorshError',
      code: 'wrong_value',
      path: 'ConsensusParameters.epoch_length',
    });
  }
  const good = genesisExtra({ epoch_length: 2n });
  for (const extra of [good.subarray(0, -1), Buffer.concat([good, Buffer.of(0)])]) {
    assert.throws(() => parametersOf({ extra }), { name: 'BorshError' });
  }
});
