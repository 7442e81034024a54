import { sha256 } from '@noble/hashes/sha2.js';
import { compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { assemble } from '../support/contracts/wasm-assembler.js';

/** A string with the form of an address. */
export const ADDRESS_LIKE = `0x${'ab'.repeat(20)}`;

export const BUSY_IDL = `
contract Busy {
  method work(loops: u64[], note?: string) -> string;
  view label() -> string;
}
`;

/** A contract whose every call needs far more gas than the client's default limit, and returns {@link ADDRESS_LIKE}. */
export function busyCode(): Uint8Array {
  const { manifest } = compileIdl([{ name: 'busy.idl', text: BUSY_IDL }]);
  const output = compileContract(manifest, sha256).function('label').encodeResult(ADDRESS_LIKE);
  return assemble({
    imports: ['set_output'],
    memory: [1, 1],
    data: [{ at: 64, bytes: output }],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `
          loop
            local.get 0; i32.const 1; i32.add; local.tee 0
            i32.const 5000000; i32.lt_u; br_if 0
          end
          i32.const 64; i32.const ${output.length}; call set_output
          i32.const 0`,
      },
    ],
  });
}
