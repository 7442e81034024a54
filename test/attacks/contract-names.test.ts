// Anybody can give a contract any name, and ask for names by any text.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import type { ContractRecord } from '../../src/generated/ledger.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { ledger } from '../../src/ledger/codecs.js';
import { appendContractNames, NAME_KEY_BYTES } from '../../src/ledger/contract-names.js';
import { CONTRACT_LISTING, listContracts } from '../../src/ledger/queries/contracts.js';
import { decodeKeyCursor } from '../../src/ledger/queries/cursor.js';
import { accountKey } from '../../src/ledger/state-keys.js';
import { appendStateChanges } from '../../src/storage/state.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { temporaryStore } from '../storage/stores.js';

const filter = new Uint8Array(32);

/** A deployed contract; its address begins with `number`. */
function deployed(number: number, name: string) {
  const address = new Uint8Array(20);
  new DataView(address.buffer).setUint32(0, number);
  const bytes = Buffer.from(`contract ${name} {}`);
  const contract: ContractRecord = {
    vm: { type: 'wasm' },
    code_hash: filter,
    code_size: 1,
    idl_hash: sha256(bytes),
    abi_version: 1,
    upgrade_policy: { type: 'immutable' },
    deployer: address,
    deployed_at: BigInt(number),
  };
  const record = { balance: 0n, deploy_index: 0n, lanes: [], contract };
  return {
    address,
    write: { account: { address: Buffer.from(address).toString('hex'), record } },
    idl: { hash: sha256(bytes), bytes },
    state: {
      key: accountKey({ sha256 }, address),
      previous: undefined,
      value: ledger.AccountRecord.encode(record),
    },
  };
}

describe('contract names from strangers', () => {
  test('are listed only up to 128 characters, and never from an unterminated text', async (t) => {
    const store = await temporaryStore(t, 'off');
    const all = [
      deployed(1, 'A'.repeat(128)),
      deployed(2, 'A'.repeat(129)),
      deployed(3, 'A'.repeat(60_000)),
      deployed(4, 'A {} contract B'),
      deployed(5, '"'.repeat(60_000)),
    ];
    const batch = new WriteBatch();
    appendContractNames(
      batch,
      all.map(({ write }) => write),
      all.map(({ idl }) => idl),
    );
    appendStateChanges(
      batch,
      0n,
      all.map(({ state }) => state),
    );
    await store.write(batch, { sync: false });
    const { contracts } = listContracts(
      { store, reader: new BlockReader(store) },
      { prefix: '', limit: 100, filter },
    );
    assert.deepEqual(
      contracts.map(({ name }) => name),
      ['A'.repeat(128)],
    );
  });

  test('cost a page at most 2,000 reads of replaced names', async (t) => {
    const store = await temporaryStore(t, 'off');
    const batch = new WriteBatch();
    // Many contracts that had the name, one after them that has it.
    const former = Array.from({ length: 4_500 }, (_, number) => deployed(number, 'Token'));
    const current = deployed(9_000, 'token');
    const all = [...former, current];
    appendContractNames(
      batch,
      all.map(({ write }) => write),
      all.map(({ idl }) => idl),
    );
    appendStateChanges(batch, 0n, [current.state]);
    await store.write(batch, { sync: false });
    const reader = new BlockReader(store);
    let pages = 0;
    let after: Uint8Array | undefined;
    for (;;) {
      pages++;
      const query = { prefix: 'TOK', ...(after && { after }), limit: 10, filter };
      const page = listContracts({ store, reader }, query);
      if (page.next_cursor === undefined) {
        assert.deepEqual(
          page.contracts.map(({ name, deployed_at }) => [name, deployed_at]),
          [['token', 9_000n]],
        );
        break;
      }
      assert.deepEqual(page.contracts, []);
      after = decodeKeyCursor(CONTRACT_LISTING, filter, page.next_cursor, NAME_KEY_BYTES);
    }
    assert.equal(pages, 3);
    assert.equal(reader.scanned, 4_501, 'each entry is charged, also one that is not listed');
  });
});
