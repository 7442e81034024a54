import type { CallStatus, Frame } from '../../src/vm/engine.js';
import type { ModuleSource } from '../../test/support/wasm-assembler.js';

/** Work that is bought at one price, over and over until the gas is gone. */
export interface PriceCase {
  /** What of the schedule it is meant to buy. */
  readonly price: string;
  /** How it goes about it. */
  readonly shape: string;
  /** The contracts it takes. The first is entered, and finds the others by {@link addressOf}. */
  readonly contracts: readonly (ModuleSource | Uint8Array)[];
  readonly frame?: Partial<Frame>;
  /** What each run gets as input, by its number; 64 KiB of zeroes where absent. */
  readonly inputOf?: (run: number) => Uint8Array;
  /** How a run ends; left out, its gas is gone. */
  readonly end?: CallStatus;
}

/** Where the contract of an index is: le32(index), then zeroes. */
export function addressOf(index: number): Uint8Array {
  const address = new Uint8Array(20);
  new DataView(address.buffer).setUint32(0, index, true);
  return address;
}

export interface Endless extends Omit<ModuleSource, 'functions'> {
  readonly locals?: string;
  /** Runs once, first. */
  readonly setup?: string;
  readonly functions?: ModuleSource['functions'];
}

/** A contract that does something until its gas is gone. */
export function endless(
  body: string,
  { locals = 'iijj', setup = '', functions = [], memory = [1], ...rest }: Endless = {},
): ModuleSource {
  const code = `${setup}
loop i
${body}
br 0
end`;
  return { ...rest, memory, functions: [{ name: 'invoke', type: '>i', locals, code }, ...functions] };
}

export function repeat(times: number, code: (index: number) => string): string {
  return Array.from({ length: times }, (_, index) => code(index)).join('\n');
}

/** A contract that views the second of its case over and over, with a gas limit that some code gives: −1 for all it has. */
export function viewer(gas: string): ModuleSource {
  return endless(`i32.const 0; ${gas}; i32.const 0; i32.const 0; call view; drop`, {
    imports: ['view'],
    memory: [1],
    setup: 'i32.const 0; i32.const 1; i32.store',
  });
}
