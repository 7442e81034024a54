// Anybody can deploy any interface text, and every reader of the contract compiles it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import type { GetLogsResult } from '../../src/generated/node-rpc-v1.js';
import { AbiError } from '../../src/idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../../src/idl/abi/contract-abi.js';
import { BorshError, JsonDecodeError } from '../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { IdlError } from '../../src/idl/compiler/diagnostics.js';
import { BlockReader } from '../../src/ledger/block-store.js';
import { MAX_IDL_BYTES } from '../../src/ledger/constants.js';
import { ContractInterfaces } from '../../src/ledger/contract-interfaces.js';
import type { LogPosition } from '../../src/ledger/contract-store.js';
import { decodePartCursor } from '../../src/ledger/queries/cursor.js';
import { getLogs, LOG_LISTING } from '../../src/ledger/queries/logs.js';
import { rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { HOSTILE_INTERFACES } from '../support/forged/hostile-interfaces.js';
import { addInterfaces, event, storeOf } from '../support/worlds/event-chain.js';

/** Of cursors. */
const filter = new Uint8Array(32);

describe('interface texts of strangers', () => {
  for (const [name, text] of Object.entries(HOSTILE_INTERFACES)) {
    test(`${name}: compiles, or is refused with its mistakes`, () => {
      const given = text();
      assert.ok(given.length <= MAX_IDL_BYTES);
      let abi: ContractAbi;
      try {
        abi = compileContract(compileIdl([{ name: 'contract.idl', text: given }]).manifest, sha256);
      } catch (error) {
        assert.ok(error instanceof IdlError || error instanceof AbiError, String(error));
        assert.ok(error.message.length < 20_000, `a message of ${error.message.length} characters`);
        return;
      }
      for (const called of [...abi.functions.values()].slice(0, 3)) {
        assert.ok(called.signature.length < 1_000_000);
        try {
          called.decodeCall(called.encodeCall([[]]));
        } catch (error) {
          assert.ok(error instanceof JsonDecodeError || error instanceof BorshError, String(error));
        }
      }
    });
  }

  test('a page of events compiles only a few of many such texts', async (t) => {
    const contracts = Array.from({ length: 12 }, (_, at) => at + 1);
    const store = await storeOf(t, [[contracts.map((number) => event(number, [1]))]]);
    const text = HOSTILE_INTERFACES['errors']?.() ?? assert.fail('no such text');
    await addInterfaces(store, new Map(contracts.map((number) => [number, `${text}//${number}`])));
    const interfaces = new ContractInterfaces(store, { sha256 });
    const found: number[] = [];
    let cursor: LogPosition | undefined;
    for (let isOver = false; !isOver; ) {
      const before = interfaces.compiledBytes;
      const query = {
        contracts: [],
        topics: [],
        from: 0n,
        to: 0n,
        isOpen: false,
        limit: 100,
        maxLength: 1_000_000,
        filter,
      };
      const after = cursor === undefined ? {} : { after: cursor };
      const json = getLogs({ store, reader: new BlockReader(store), interfaces }, { ...query, ...after });
      const compiled = interfaces.compiledBytes - before;
      assert.ok(compiled <= 5 * MAX_IDL_BYTES, `a page compiles ${compiled} bytes`);
      const page: GetLogsResult = rpcTypes.GetLogsResult.fromJson(JSON.parse(json), 'result');
      found.push(...page.logs.map(({ contract }) => contract[0] ?? 0));
      isOver = page.next_cursor === undefined;
      if (page.next_cursor === undefined) continue;
      const { place, part } = decodePartCursor(LOG_LISTING, filter, page.next_cursor);
      cursor = { height: place.height, txIndex: place.index, logIndex: part };
    }
    assert.deepEqual(found, contracts);
  });
});
