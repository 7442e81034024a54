// Anybody can deploy any interface text, and every reader of the contract compiles it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { AbiError } from '../../src/idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../../src/idl/abi/contract-abi.js';
import { BorshError, JsonDecodeError } from '../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { IdlError } from '../../src/idl/compiler/diagnostics.js';
import { MAX_IDL_BYTES } from '../../src/ledger/constants.js';
import { HOSTILE_INTERFACES } from '../support/hostile-interfaces.js';

describe('interface texts of strangers', () => {
  for (const [name, text] of Object.entries(HOSTILE_INTERFACES)) {
    test(`${name}: compiled, or refused with its mistakes`, () => {
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
});
