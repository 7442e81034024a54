import type { FunctionType } from './module.js';
import type { RefusalRule } from './module-refused.js';

/** The value types of the subset, as the binary format writes them. */
export const I32 = 0x7f;
export const I64 = 0x7e;
export const FUNCREF = 0x70;
/** `ref.null` and `ref.func`, which stand only in element segments. */
export const REF_NULL = 0xd0;
export const REF_FUNC = 0xd2;
/** The type of a block without parameters and results. */
export const EMPTY_BLOCK = 0x40;

/** Opcodes that the validator and instrumenter use by name. 0xfc-prefixed ones are 0xfc00 + their number. */
export const OP = Object.freeze({
  unreachable: 0x00,
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  select: 0x1b,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  i32Load8U: 0x2d,
  i32Store: 0x36,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32Ne: 0x47,
  i32LtS: 0x48,
  i32LtU: 0x49,
  i32GtS: 0x4a,
  i32GtU: 0x4b,
  i32LeS: 0x4c,
  i32GeS: 0x4e,
  i64LtS: 0x53,
  i64GtU: 0x56,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32And: 0x71,
  i32Or: 0x72,
  i32Xor: 0x73,
  i32Shl: 0x74,
  i32ShrU: 0x76,
  i32Rotl: 0x77,
  i32Rotr: 0x78,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64ShrU: 0x88,
  i64ExtendI32U: 0xad,
  memoryInit: 0xfc08,
  dataDrop: 0xfc09,
  memoryCopy: 0xfc0a,
  memoryFill: 0xfc0b,
  tableInit: 0xfc0c,
  elemDrop: 0xfc0d,
  tableCopy: 0xfc0e,
  tableFill: 0xfc11,
});

/** The kind of data that follows an opcode in the binary format. */
export type Immediate =
  | 'none'
  | 'block'
  | 'label'
  | 'labels'
  | 'function'
  | 'type and table'
  | 'local'
  | 'global'
  | 'memory access'
  | 'memory'
  | 'i32'
  | 'i64'
  | 'data and memory'
  | 'data'
  | 'two memories'
  | 'element and table'
  | 'element'
  | 'two tables';

export interface Instruction {
  readonly name: string;
  readonly immediate: Immediate;
  /** Types popped, the last one from the top, and types pushed; undefined if the immediate decides. */
  readonly signature: FunctionType | undefined;
  /** Maximum alignment exponent of a memory access. */
  readonly maxAlign: number;
}

const table = new Map<number, Instruction>();
/** The instructions of the subset by opcode. */
export const INSTRUCTIONS: ReadonlyMap<number, Instruction> = table;

function define(
  opcode: number,
  name: string,
  types: string | undefined,
  { immediate = 'none', maxAlign = 0 }: { readonly immediate?: Immediate; readonly maxAlign?: number } = {},
): void {
  table.set(opcode, {
    name,
    immediate,
    signature: types === undefined ? undefined : signature(types),
    maxAlign,
  });
}

/** `ij:i` is (i32, i64) → i32. */
function signature(types: string): FunctionType {
  const [params = '', results = ''] = types.split(':');
  const codes = (letters: string) => [...letters].map((letter) => (letter === 'i' ? I32 : I64));
  return { params: codes(params), results: codes(results) };
}

/** Defines consecutive opcodes. */
function defineRow(first: number, prefix: 'i32' | 'i64', names: string, types: string): void {
  for (const [index, name] of names.split(' ').entries()) define(first + index, `${prefix}.${name}`, types);
}

define(OP.unreachable, 'unreachable', undefined);
define(OP.nop, 'nop', ':');
define(OP.block, 'block', undefined, { immediate: 'block' });
define(OP.loop, 'loop', undefined, { immediate: 'block' });
define(OP.if, 'if', undefined, { immediate: 'block' });
define(OP.else, 'else', undefined);
define(OP.end, 'end', undefined);
define(OP.br, 'br', undefined, { immediate: 'label' });
define(OP.brIf, 'br_if', undefined, { immediate: 'label' });
define(OP.brTable, 'br_table', undefined, { immediate: 'labels' });
define(OP.return, 'return', undefined);
define(OP.call, 'call', undefined, { immediate: 'function' });
define(OP.callIndirect, 'call_indirect', undefined, { immediate: 'type and table' });
define(OP.drop, 'drop', undefined);
define(OP.select, 'select', undefined);
define(OP.localGet, 'local.get', undefined, { immediate: 'local' });
define(OP.localSet, 'local.set', undefined, { immediate: 'local' });
define(OP.localTee, 'local.tee', undefined, { immediate: 'local' });
define(OP.globalGet, 'global.get', undefined, { immediate: 'global' });
define(OP.globalSet, 'global.set', undefined, { immediate: 'global' });

const ACCESSES: readonly (readonly [opcode: number, name: string, types: string, maxAlign: number])[] = [
  [0x28, 'i32.load', 'i:i', 2],
  [0x29, 'i64.load', 'i:j', 3],
  [0x2c, 'i32.load8_s', 'i:i', 0],
  [0x2d, 'i32.load8_u', 'i:i', 0],
  [0x2e, 'i32.load16_s', 'i:i', 1],
  [0x2f, 'i32.load16_u', 'i:i', 1],
  [0x30, 'i64.load8_s', 'i:j', 0],
  [0x31, 'i64.load8_u', 'i:j', 0],
  [0x32, 'i64.load16_s', 'i:j', 1],
  [0x33, 'i64.load16_u', 'i:j', 1],
  [0x34, 'i64.load32_s', 'i:j', 2],
  [0x35, 'i64.load32_u', 'i:j', 2],
  [0x36, 'i32.store', 'ii:', 2],
  [0x37, 'i64.store', 'ij:', 3],
  [0x3a, 'i32.store8', 'ii:', 0],
  [0x3b, 'i32.store16', 'ii:', 1],
  [0x3c, 'i64.store8', 'ij:', 0],
  [0x3d, 'i64.store16', 'ij:', 1],
  [0x3e, 'i64.store32', 'ij:', 2],
];
for (const [opcode, name, types, maxAlign] of ACCESSES) {
  define(opcode, name, types, { immediate: 'memory access', maxAlign });
}
define(OP.memorySize, 'memory.size', ':i', { immediate: 'memory' });
define(OP.memoryGrow, 'memory.grow', 'i:i', { immediate: 'memory' });
define(OP.i32Const, 'i32.const', ':i', { immediate: 'i32' });
define(OP.i64Const, 'i64.const', ':j', { immediate: 'i64' });

const COMPARISONS = 'eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u';
const BINARY = 'add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr';
define(OP.i32Eqz, 'i32.eqz', 'i:i');
defineRow(0x46, 'i32', COMPARISONS, 'ii:i');
define(0x50, 'i64.eqz', 'j:i');
defineRow(0x51, 'i64', COMPARISONS, 'jj:i');
defineRow(0x67, 'i32', 'clz ctz popcnt', 'i:i');
defineRow(0x6a, 'i32', BINARY, 'ii:i');
defineRow(0x79, 'i64', 'clz ctz popcnt', 'j:j');
defineRow(0x7c, 'i64', BINARY, 'jj:j');
define(0xa7, 'i32.wrap_i64', 'j:i');
defineRow(0xac, 'i64', 'extend_i32_s extend_i32_u', 'i:j');
defineRow(0xc0, 'i32', 'extend8_s extend16_s', 'i:i');
defineRow(0xc2, 'i64', 'extend8_s extend16_s extend32_s', 'j:j');
define(OP.memoryInit, 'memory.init', 'iii:', { immediate: 'data and memory' });
define(OP.dataDrop, 'data.drop', ':', { immediate: 'data' });
define(OP.memoryCopy, 'memory.copy', 'iii:', { immediate: 'two memories' });
define(OP.memoryFill, 'memory.fill', 'iii:', { immediate: 'memory' });
define(OP.tableInit, 'table.init', 'iii:', { immediate: 'element and table' });
define(OP.elemDrop, 'elem.drop', ':', { immediate: 'element' });
define(OP.tableCopy, 'table.copy', 'iii:', { immediate: 'two tables' });

/** The rule broken by an opcode outside the subset; `otherwise` if no proposal defines it. */
export function ruleOfOpcode(opcode: number, otherwise: RefusalRule = 'malformed'): RefusalRule {
  const inRange = (low: number, high: number): boolean => opcode >= low && opcode <= high;
  if (
    inRange(0x2a, 0x2b) ||
    inRange(0x38, 0x39) ||
    inRange(0x43, 0x44) ||
    inRange(0x5b, 0x66) ||
    inRange(0x8b, 0xa6) ||
    inRange(0xa8, 0xab) ||
    inRange(0xae, 0xbf) ||
    inRange(0xfc00, 0xfc07)
  ) {
    return 'floating_point';
  }
  if (opcode === 0x1c || inRange(0x25, 0x26) || inRange(0xd0, 0xd2) || inRange(0xfc0f, OP.tableFill)) {
    return 'reference_types';
  }
  if (inRange(0x06, 0x0a) || inRange(0x18, 0x19) || opcode === 0x1f) return 'exceptions';
  if (opcode === 0x12 || opcode === 0x13 || opcode === 0x15) return 'tail_calls';
  if (opcode === 0x14 || inRange(0xd3, 0xd6) || opcode === 0xfb) return 'garbage_collection';
  if (opcode === 0xfd) return 'simd';
  return opcode === 0xfe ? 'threads' : otherwise;
}

/** The rule broken by a value type outside the subset, see {@link ruleOfOpcode}. */
export function ruleOfValueType(type: number, otherwise: RefusalRule = 'malformed'): RefusalRule {
  switch (type) {
    case 0x7d:
    case 0x7c:
      return 'floating_point';
    case 0x7b:
      return 'simd';
    case 0x70:
    case 0x6f:
      return 'reference_types';
    default:
      return type >= 0x62 && type <= 0x74 ? 'garbage_collection' : otherwise;
  }
}
