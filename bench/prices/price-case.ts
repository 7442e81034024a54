import type { CallStatus, Frame } from '../../src/vm/engine.js';
import type { ModuleSource } from '../../test/support/contracts/wasm-assembler.js';

/** Work bought at one price, repeated until the gas is gone. */
export interface PriceCase {
  /** Name of the measured price in the schedule. */
  readonly price: string;
  /** Description of the work. */
  readonly shape: string;
  /** The contracts used. The first is entered, and finds the others by {@link addressOf}. */
  readonly contracts: readonly (ModuleSource | Uint8Array)[];
  readonly frame?: Partial<Frame>;
  /** Input of each run, by its number; 64 KiB of zeroes if absent. */
  readonly inputOf?: (run: number) => Uint8Array;
  /** The state that it runs on: as a block if absent, or as a view of the last height or of the one before. */
  readonly view?: 'latest' | 'earlier';
  /** The expected status of a run; by default it runs out of gas. */
  readonly end?: CallStatus;
}

/** The address of the contract with an index: le32(index), then zeroes. */
export function addressOf(index: number): Uint8Array {
  const address = new Uint8Array(20);
  new DataView(address.buffer).setUint32(0, index, true);
  return address;
}

export interface Endless extends Omit<ModuleSource, 'functions'> {
  readonly locals?: string;
  /** Code that runs once before the loop. */
  readonly setup?: string;
  readonly functions?: ModuleSource['functions'];
}

/** A contract that repeats something until its gas is gone. */
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

/**
 * A contract that repeatedly views the second contract of its case. The code `gas` computes the gas limit; −1 passes
 * all gas.
 */
export function viewer(gas: string): ModuleSource {
  return endless(`i32.const 0; ${gas}; i32.const 0; i32.const 0; call view; drop`, {
    imports: ['view'],
    memory: [1],
    setup: 'i32.const 0; i32.const 1; i32.store',
  });
}
