import { sha256 } from '@noble/hashes/sha2.js';
import { compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { assemble } from '../support/contracts/wasm-assembler.js';

/** Text that would run a script, break out of markup or disguise itself, if it were anything but text. */
export const HOSTILE_TEXT =
  '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>\u202egnp.exe\u0000"\'>';

const LONG = 'a'.repeat(600);

/** Types whose values have 4^10 fields if every part gets one. */
const WIDE = Array.from(
  { length: 10 },
  (_, at) => `struct Wide${at} { a: ${next(at)}; b: ${next(at)}; c: ${next(at)}; d: ${next(at)}; }`,
).join('\n');

function next(at: number): string {
  return at === 9 ? 'u64' : `Wide${at + 1}`;
}

/** An interface full of markup, long names, many functions and types that are far too wide for a form. */
export const HOSTILE_IDL = `
/// ${HOSTILE_TEXT.replaceAll('\u0000', '')}
contract Hostile {
  /// <script>document.title = 'taken'</script> ${'wide '.repeat(400)}
  method shout(times: u64) -> string;
  view echo() -> string;
  view wide(value: Wide0) -> string;
  view deep(value: Node) -> string;
  view fixed(value: u8[60000]) -> string;
  view ${LONG}(${LONG}: u64) -> string;
${Array.from({ length: 300 }, (_, at) => `  view many_${at}() -> string;`).join('\n')}
  event Shouted { text: string; }
}
${WIDE}
/// Contains itself.
enum Node { Branch: Pair, Leaf }
struct Pair { left: Node; right: Node?; }
`;

/** The interface, compiled. */
export function hostileAbi() {
  return compileContract(compileIdl([{ name: 'hostile.idl', text: HOSTILE_IDL }]).manifest, sha256);
}

/** A contract that answers every call with {@link HOSTILE_TEXT}, and emits it as an event. */
export function hostileCode(): Uint8Array {
  const { topics, data } = hostileEvent();
  const topic = topics[0] ?? new Uint8Array(32);
  return assemble({
    imports: ['set_output', 'emit'],
    memory: [1, 1],
    data: [
      { at: 64, bytes: topic },
      { at: 512, bytes: data },
    ],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `
          i32.const 64; i32.const 1; i32.const 512; i32.const ${data.length}; call emit
          i32.const 512; i32.const ${data.length}; call set_output
          i32.const 0`,
      },
    ],
  });
}

function hostileEvent() {
  return (
    hostileAbi().events.get('Shouted')?.encode({ text: HOSTILE_TEXT }) ?? {
      topics: [],
      data: new Uint8Array(),
    }
  );
}
