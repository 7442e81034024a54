import { BinaryReader } from '../../wasm/binary-reader.js';
import { SECTION, sectionsOf } from '../../wasm/sections.js';
import type { PrepareVariant } from '../engine.js';
import type { EngineLimits } from './engine-limits.js';
import { instrument } from './instrument.js';
import { validateModule } from './validate.js';

/** A position in the original module. */
export interface OriginalPosition {
  /** Offset of the instruction in the module, in bytes. */
  readonly offset: number;
  /** Offset of the first instruction of its function. */
  readonly functionStart: number;
}

interface PreparedInstruction extends OriginalPosition {
  readonly prepared: number;
}

/** Maps offsets in prepared code, as stack traces have them, to offsets in the original module. For tools only. */
export class CodePositions {
  /** In order of `prepared`. */
  readonly #instructions: readonly PreparedInstruction[];
  readonly #end: number;

  /** Prepares the code again and notes where each instruction goes. @throws ModuleRefused */
  constructor(code: Uint8Array, variant: PrepareVariant, limits: EngineLimits) {
    const validated = validateModule(code, limits, 'contract');
    const taken: { defined: number; original: number; rewritten: number }[] = [];
    const takePosition = (defined: number, original: number, rewritten: number): void => {
      taken.push({ defined, original, rewritten });
    };
    const prepared = instrument(validated, { variant, profile: 'contract', limits, takePosition });
    const { bodies } = validated.module;
    const starts = bodyOffsets(prepared);
    this.#end = starts[bodies.length] ?? prepared.length;
    this.#instructions = taken.map(({ defined, original, rewritten }) => ({
      prepared: (starts[defined] ?? 0) + rewritten,
      offset: original,
      functionStart: bodies[defined]?.start ?? 0,
    }));
  }

  /** Returns the instruction of the original module at an offset in the prepared code, if there is one. */
  originalOf(prepared: number): OriginalPosition | undefined {
    if (prepared >= this.#end) return undefined;
    let low = 0;
    let high = this.#instructions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#instructions[middle]?.prepared ?? 0) <= prepared) low = middle + 1;
      else high = middle;
    }
    return this.#instructions[low - 1];
  }
}

/** Offsets of the function bodies of a module, after their lengths. */
function bodyOffsets(module: Uint8Array): readonly number[] {
  const code = sectionsOf(module).find(({ id }) => id === SECTION.code);
  if (code === undefined) return [];
  const reader = new BinaryReader(module, code.offset);
  return Array.from({ length: reader.u32() }, () => {
    const length = reader.u32();
    reader.take(length);
    return reader.offset - length;
  });
}
