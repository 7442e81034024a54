import { assemble } from '../contracts/wasm-assembler.js';
import { hex } from '../hex.js';

/** The address at which overrides place undeployed contracts. */
export const FLOODED_AT = `0x${'c0'.repeat(20)}`;

/** Burns until its gas or its time is gone. */
const BURNER = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'loop; br 0; end; i32.const 0' }],
});

/** Requests the height from the host until its gas is gone; each of these host calls adds an entry to a trace. */
const ASKER = assemble({
  imports: ['block_height'],
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'loop; call block_height; drop; br 0; end; i32.const 0' }],
});

/** Returns at once, without output. */
const TRIVIAL = assemble({
  memory: [1, 1],
  functions: [{ name: 'invoke', type: '>i', code: 'i32.const 0' }],
});

/** Emits `events` events of `bytes` bytes per call. */
export function emitterCode(events: number, bytes: number): Uint8Array {
  return assemble({
    imports: ['emit'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `loop
            local.get 0; i32.const ${events}; i32.lt_u
            if
              i32.const 0; i32.const 1; i32.const 0; i32.const ${bytes}; call emit
              local.get 0; i32.const 1; i32.add; local.set 0; br 1
            end
          end
          i32.const 0`,
      },
    ],
  });
}

const callOf = (code: Uint8Array) => ({
  contract: FLOODED_AT,
  input: '0x',
  overrides: [{ address: FLOODED_AT, code: `0x${hex(code)}` }],
});

/** Arguments of view calls and traces of the contracts above. */
export const BURNING_CALL = callOf(BURNER);
export const ASKING_CALL = callOf(ASKER);
export const TRIVIAL_CALL = callOf(TRIVIAL);
