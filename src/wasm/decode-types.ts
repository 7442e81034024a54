import type { BinaryReader } from './binary-reader.js';
import { readConstant } from './decode-segments.js';
import type { FunctionType, GlobalDefinition, ModuleLimits, SizeLimits } from './module.js';
import { I32, I64, ruleOfValueType } from './opcodes.js';

const FUNCTION_FORM = 0x60;
/** Forms of arrays, structures, subtypes and recursive groups. */
const OTHER_FORMS = [0x5f, 0x5e, 0x50, 0x4f, 0x4e];

/** Up to this many parameters and results in total may have any types. */
const FREE_VALUES = 6;
/** Up to this many parameters may have any types, with at most one result. */
const FREE_PARAMETERS = 9;
/** In longer lists, all parameters after this many have the same type. */
const HEAD = 5;

/** The rule of {@link isCommonType}, for error messages. */
const COMMON_TYPES =
  'a function or block has at most 9 parameters and one result, or 6 of both, or more parameters that are all of one type after the fifth';

/**
 * Whether a module may use a function or block type.
 *
 * V8 keeps every type of every module, for all threads and forever. It searches them linearly for each type of a module
 * that it compiles, 30 ns each; newer versions do not, but abort the process at a million (`kMaxCanonicalTypes`). So
 * contracts are limited to 4,737 types: those that compilers emit for ordinary code.
 */
export function isCommonType({ params, results }: FunctionType): boolean {
  if (params.length + results.length <= FREE_VALUES) return true;
  if (results.length > 1) return false;
  const tail = params.slice(HEAD);
  return params.length <= FREE_PARAMETERS || tail.every((type) => type === tail[0]);
}

export function readValueType(reader: BinaryReader): number {
  const type = reader.byte();
  if (type !== I32 && type !== I64) {
    const detail = `value type 0x${type.toString(16)} is refused`;
    throw reader.refusal(ruleOfValueType(type), detail, reader.offset - 1);
  }
  return type;
}

export function readFunctionType(reader: BinaryReader, limits: ModuleLimits): FunctionType {
  const form = reader.byte();
  if (form !== FUNCTION_FORM) {
    throw reader.refusal(
      OTHER_FORMS.includes(form) ? 'garbage_collection' : 'malformed',
      `expected a function type, got 0x${form.toString(16)}`,
      reader.offset - 1,
    );
  }
  const offset = reader.offset;
  const params = reader.vector('parameters', limits.parameters, () => readValueType(reader));
  const results = reader.vector('results', limits.parameters, () => readValueType(reader));
  if (!limits.anyTypes && !isCommonType({ params, results })) {
    throw reader.refusal('limit', COMMON_TYPES, offset);
  }
  return { params, results };
}

/** Bounds on the limits of a table or memory. */
interface LimitsRule {
  readonly rule: 'table_limits' | 'memory_limits';
  readonly unit: string;
  /** Maximum initial size. A larger declared maximum is allowed; the engine never grows that far. */
  readonly limit: number;
  /** Maximum of the binary format. */
  readonly largest: number;
}

/** Reads the limits of a table or memory. */
export function readLimits(reader: BinaryReader, { rule, unit, limit, largest }: LimitsRule): SizeLimits {
  const offset = reader.offset;
  const flags = reader.byte();
  if (flags > 1) {
    const other = flags > 7 ? 'malformed' : (flags & 4) !== 0 ? 'memory64' : 'threads';
    throw reader.refusal(other, `limits of kind ${flags} are refused`, offset);
  }
  const min = reader.u32();
  const max = flags === 1 ? reader.u32() : undefined;
  if (min > largest || (max !== undefined && (max > largest || min > max))) {
    throw reader.refusal(rule, `${min} to ${max ?? 'any number of'} ${unit} is not a range`, offset);
  }
  if (min > limit) {
    throw reader.refusal(rule, `expected at most ${limit} ${unit} at the start, got ${min}`, offset);
  }
  return { min, max };
}

export function readGlobal(reader: BinaryReader): GlobalDefinition {
  const type = readValueType(reader);
  const mutable = reader.byte();
  if (mutable > 1) {
    throw reader.refusal('malformed', `expected mutability 0 or 1, got ${mutable}`, reader.offset - 1);
  }
  return { type, mutable: mutable === 1, initial: readConstant(reader, type) };
}
