import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ChainInfo } from '../../src/client/chain-info.js';
import type { GetEpochKeyResult, Status, TxpoolStats } from '../../src/generated/node-rpc-v1.js';
import { MAX_SLOTS } from '../../src/ledger/constants.js';
import { nextBaseFee } from '../../src/ledger/fees.js';
import { nextSealExcess, slotPrice } from '../../src/ledger/opening-slots.js';
import { fake } from '../support/fake.js';

const TIP = 10n;
const GAS_LIMIT = 500_000_000n;

interface Facts {
  readonly baseFee?: bigint;
  readonly price?: bigint;
  readonly freeSlots?: readonly number[];
  readonly random?: () => number;
}

/** What a client knows of a chain with one validator. */
function infoOf({ baseFee = 1n, price = 2_000_000n, freeSlots = [], random = () => 0 }: Facts): ChainInfo {
  const status = fake<Status>({ tip: { height: TIP }, validator_set: { validators: [{}] } });
  const key = fake<GetEpochKeyResult>({
    next_open_height: TIP + 3n,
    slot_price: price,
    free_slots: freeSlots,
  });
  const stats = fake<TxpoolStats>({ base_fee: baseFee, min_fee: 1n });
  const client = {
    status: () => Promise.resolve(status),
    get_epoch_key: () => Promise.resolve(key),
    txpool_stats: () => Promise.resolve(stats),
    list_blocks: () => Promise.reject(new Error('not asked')),
  };
  return new ChainInfo(client, random);
}

test('40 clients that choose at the same time spread over the heights with room', async () => {
  // A sequence that visits [0, 1) evenly.
  let count = 0;
  const random = () => (count++ * 0.618) % 1;
  const info = infoOf({
    freeSlots: Array.from({ length: 64 }, (_, ahead) => (ahead % 2 === 0 ? 0 : 16)),
    random,
  });
  const chosen = new Map<bigint, number>();
  for (let client = 0; client < 40; client++) {
    const opensAt = (await info.openingPlace(1, undefined))?.opensAt ?? 0n;
    chosen.set(opensAt, (chosen.get(opensAt) ?? 0) + 1);
  }
  const heights = [...chosen.keys()].sort((a, b) => Number(a - b));
  assert.deepEqual(
    heights,
    Array.from({ length: 16 }, (_, place) => TIP + 10n + 2n * BigInt(place)),
  );
  assert.ok(Math.max(...chosen.values()) <= 4);
});

test('the highest price expected for a slot covers every full block up to the height', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.bigInt({ min: 1n, max: 200n }),
      fc.bigInt({ min: 0n, max: 600n }),
      fc.bigInt({ min: 2n, max: 16n }),
      async (baseFee, excess, ahead) => {
        let header = { base_fee: baseFee, seal_excess: excess };
        const info = infoOf({ baseFee, price: slotPrice(header) });
        const maxSlotPrice = (await info.openingPlace(1, TIP + 1n + ahead))?.maxSlotPrice ?? 0n;
        for (let block = 0n; block < ahead; block++) {
          header = {
            base_fee: nextBaseFee({ ...header, gas_used: GAS_LIMIT, gas_limit: GAS_LIMIT }),
            seal_excess: nextSealExcess(header, MAX_SLOTS),
          };
        }
        assert.ok(maxSlotPrice >= slotPrice(header), `${maxSlotPrice} < ${slotPrice(header)}`);
        assert.ok(maxSlotPrice <= 5n * slotPrice(header), `${maxSlotPrice} > 5 × ${slotPrice(header)}`);
      },
    ),
  );
});
