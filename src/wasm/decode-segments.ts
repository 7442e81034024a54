import type { BinaryReader } from './binary-reader.js';
import type { DataSegment, ElementSegment, ModuleLimits } from './module.js';
import { FUNCREF, I32, OP, REF_FUNC, REF_NULL, ruleOfOpcode, ruleOfValueType } from './opcodes.js';

/** Reads an initial value or offset: one constant and `end`, because the subset has no imported globals. */
export function readConstant(reader: BinaryReader, type: number): bigint {
  const offset = reader.offset;
  const opcode = reader.byte();
  if (opcode !== OP.i32Const && opcode !== OP.i64Const) {
    const rule = ruleOfOpcode(opcode, 'constant_expression');
    throw reader.refusal(rule, `expected a constant, got opcode 0x${opcode.toString(16)}`, offset);
  }
  const value = opcode === OP.i32Const ? BigInt(reader.s32()) : reader.s64();
  if ((opcode === OP.i32Const) !== (type === I32)) {
    const expected = type === I32 ? 'i32' : 'i64';
    throw reader.refusal('type_mismatch', `expected a constant of type ${expected}`, offset);
  }
  readEnd(reader);
  return value;
}

function readEnd(reader: BinaryReader): void {
  const offset = reader.offset;
  if (reader.byte() !== OP.end) {
    throw reader.refusal('constant_expression', 'expected the end after one constant', offset);
  }
}

/** Reads one segment of the element section (specification 5.5.12). */
export function readElementSegment(reader: BinaryReader, limits: ModuleLimits): ElementSegment {
  const start = reader.offset;
  const flags = reader.u32();
  if (flags > 7) throw reader.refusal('malformed', `element segment of kind ${flags}`, start);
  const isActive = (flags & 1) === 0;
  const hasIndex = (flags & 2) !== 0;
  const asExpressions = (flags & 4) !== 0;
  if (!isActive && hasIndex) {
    throw reader.refusal('reference_types', 'a declarative element segment is refused', start);
  }
  if (isActive && hasIndex && reader.u32() !== 0) {
    throw reader.refusal('unknown_index', 'only table 0 can exist', start);
  }
  const at = isActive ? Number(BigInt.asUintN(32, readConstant(reader, I32))) : undefined;
  if (!isActive || hasIndex) expectFunctions(reader, asExpressions);
  const functions = reader.vector('elements', limits.codeBytes, () =>
    asExpressions ? readFunctionReference(reader) : reader.u32(),
  );
  return { at, functions };
}

function expectFunctions(reader: BinaryReader, asExpressions: boolean): void {
  const kind = reader.byte();
  if (kind !== (asExpressions ? FUNCREF : 0x00)) {
    throw reader.refusal(
      asExpressions ? ruleOfValueType(kind) : 'malformed',
      `expected functions as elements, got 0x${kind.toString(16)}`,
      reader.offset - 1,
    );
  }
}

/** Reads `ref.func x` or `ref.null func`. */
function readFunctionReference(reader: BinaryReader): number | undefined {
  const offset = reader.offset;
  const opcode = reader.byte();
  let reference: number | undefined;
  if (opcode === REF_FUNC) {
    reference = reader.u32();
  } else if (opcode === REF_NULL) {
    const type = reader.byte();
    if (type !== FUNCREF) {
      // Newer proposals allow a type index here.
      const rule = ruleOfValueType(type, 'reference_types');
      throw reader.refusal(rule, 'expected a null function reference', offset);
    }
  } else {
    const rule = ruleOfOpcode(opcode, 'constant_expression');
    throw reader.refusal(rule, 'expected a function reference', offset);
  }
  readEnd(reader);
  return reference;
}

/** Reads one segment of the data section (specification 5.5.14). */
export function readDataSegment(reader: BinaryReader): DataSegment {
  const offset = reader.offset;
  const flags = reader.u32();
  if (flags > 2) throw reader.refusal('malformed', `data segment of kind ${flags}`, offset);
  if (flags === 2 && reader.u32() !== 0) {
    throw reader.refusal('unknown_index', 'only memory 0 can exist', offset);
  }
  const at = flags === 1 ? undefined : Number(BigInt.asUintN(32, readConstant(reader, I32)));
  return { at, bytes: reader.take(reader.u32()) };
}
