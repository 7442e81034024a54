import { CodeWriter } from '../../wasm/code-writer.js';
import { addBlake3 } from '../../wasm/hashes/blake3.js';
import type { HashFunctionBuilder } from '../../wasm/hashes/hash-function.js';
import { addKeccak256 } from '../../wasm/hashes/keccak256.js';
import { addSha256 } from '../../wasm/hashes/sha256.js';
import type { WasmModule } from '../../wasm/module.js';
import { FUNCREF, I32, I64, OP, REF_NULL } from '../../wasm/opcodes.js';
import { PAGE_BYTES } from './engine-limits.js';
import { type HostFunction, type HostFunctionName, hostFunction } from './host-interface.js';
import type { Layout } from './layout.js';
import { GAS_LEFT, MEMORY_FAULT } from './metered-interface.js';
import { ACCESS_GAS, BULK_BYTES_PER_GAS_LOG2, MEMORY_GAS, STACK_GAS, TABLE_ENTRY_GAS } from './schedule.js';

/** Indices of the functions that metered code calls. */
export interface SupportFunctions {
  /** (gas: i64) → (): charges gas, and traps if there is not enough. */
  readonly charge: number;
  /** (bytes: i32) → i32: charges for the bytes of a bulk operation and returns its argument. */
  readonly chargeBytes: number;
  /** (entries: i32) → i32: the same for entries of the table. */
  readonly chargeEntries: number;
  /** (pages: i32) → i32: memory.grow with its price and limit. */
  readonly grow: number;
  /** () → (): pays for the bytes that the stack counter lacks, and some more; traps if none are left. */
  readonly payStack: number;
  /** The observer's imports, in observed code. */
  readonly hooks: { readonly enter: number; readonly leave: number } | undefined;
}

/** Hashes that contracts compute themselves unless observed: see `hashes/hash-function.ts`. */
const OWN_HASHES: ReadonlyMap<HostFunctionName, HashFunctionBuilder> = new Map([
  ['blake3', addBlake3],
  ['keccak256', addKeccak256],
  ['sha256', addSha256],
]);

/** Adds the support functions, and a wrapper that charges for each imported host function. */
export function addSupportFunctions(layout: Layout): SupportFunctions {
  const charge = layout.add([I64], [], [], chargeCode(layout));
  const firstHook = layout.hostImports.length;
  const support = {
    charge,
    chargeBytes: addCharge(layout, charge, BULK_BYTES_PER_GAS_LOG2, OP.i64ShrU),
    chargeEntries: addCharge(layout, charge, TABLE_ENTRY_GAS, OP.i64Mul),
    grow:
      layout.module.memory === undefined
        ? charge
        : layout.add([I32], [I32], [I32, I64], growCode(layout, charge)),
    payStack: layout.add([], [], [I32], payStackCode(layout, charge)),
    hooks: layout.addedImports === 0 ? undefined : { enter: firstHook, leave: firstHook + 1 },
  };
  for (const [index, name] of layout.hostImports.entries()) {
    const host = hostFunction(name);
    const code = wrapperCode(layout, host, charge, index);
    layout.wrap(name, layout.add(host.params, host.results, [], code));
  }
  return support;
}

function chargeCode(layout: Layout): CodeWriter {
  const { gasGlobal } = layout;
  const code = new CodeWriter().getGlobal(gasGlobal).get(0).op(OP.i64Sub).tee(0).setGlobal(gasGlobal);
  return code.get(0).i64Const(0n).op(OP.i64LtS).trapIf().end();
}

/** Adds the function that charges for its argument, to which `opcode` applies the factor, and returns it. */
function addCharge(layout: Layout, charge: number, factor: number, opcode: number): number {
  const code = new CodeWriter().get(0).op(OP.i64ExtendI32U).i64Const(BigInt(factor)).op(opcode);
  return layout.add([I32], [I32], [], code.call(charge).get(0).end());
}

/** Stack stays paid for the whole call: only a new deepest point costs more. */
function payStackCode(layout: Layout, charge: number): CodeWriter {
  const { stackGlobal, unpaidStackGlobal } = layout;
  const { bytesPerGasLog2, stepBytes } = STACK_GAS;
  const code = new CodeWriter();
  // Computes the shortfall. If less than that is left, traps and leaves the counter negative.
  code.i32Const(0).getGlobal(stackGlobal).op(OP.i32Sub).tee(0);
  code.getGlobal(unpaidStackGlobal).op(OP.i32GtU).trapIf();
  // Adds the step, or takes everything left.
  code.get(0).i32Const(stepBytes).op(OP.i32Add).tee(0);
  code.getGlobal(unpaidStackGlobal).op(OP.i32GtU).if();
  code.getGlobal(unpaidStackGlobal).set(0).end();
  code.get(0).op(OP.i64ExtendI32U).i64Const(BigInt(bytesPerGasLog2)).op(OP.i64ShrU).call(charge);
  code.getGlobal(unpaidStackGlobal).get(0).op(OP.i32Sub).setGlobal(unpaidStackGlobal);
  return code.getGlobal(stackGlobal).get(0).op(OP.i32Add).setGlobal(stackGlobal).end();
}

/**
 * Growing beyond the limit fails at no extra cost; otherwise the pages are paid first. If the machine then has no
 * memory, the call cannot continue: a result of −1 would differ from that of other machines.
 */
function growCode(layout: Layout, charge: number): CodeWriter {
  const { smallPages, smallPage, page } = MEMORY_GAS;
  const code = new CodeWriter().memorySize().op(OP.i64ExtendI32U).get(0).op(OP.i64ExtendI32U, OP.i64Add);
  code.getGlobal(layout.pagesGlobal).op(OP.i64ExtendI32U, OP.i64GtU);
  code.if().i32Const(-1).op(OP.return).end();
  code.get(0).op(OP.i64ExtendI32U).i64Const(BigInt(smallPage)).op(OP.i64Mul);
  const pagesBeyond = (isGrown: boolean): void => {
    code.memorySize();
    if (isGrown) code.get(0).op(OP.i32Add);
    code.i32Const(smallPages).op(OP.i32Sub).tee(1);
    code.i32Const(0).get(1).i32Const(0).op(OP.i32GtS, OP.select);
  };
  pagesBeyond(true);
  pagesBeyond(false);
  const surcharge = BigInt(page - smallPage);
  code.op(OP.i32Sub, OP.i64ExtendI32U).i64Const(surcharge).op(OP.i64Mul, OP.i64Add).call(charge);
  code.get(0).op(OP.memoryGrow).byte(0).tee(0).i32Const(0).op(OP.i32LtS).if();
  code.i32Const(MEMORY_FAULT).setGlobal(layout.stackGlobal).op(OP.unreachable).end();
  if (layout.accessGlobal !== undefined) {
    code.i64Const(0n).set(2);
    for (const { abovePages, gas } of ACCESS_GAS) {
      code.i64Const(BigInt(gas)).get(2).memorySize().i32Const(abovePages).op(OP.i32GtU, OP.select).set(2);
    }
    code.get(2).setGlobal(layout.accessGlobal);
  }
  return code.get(0).end();
}

/**
 * Charges the price of a host function, calls it, and charges for its result if it has a price. Unless the host must see
 * every call, the contract itself does the work that it can do faster.
 * @param imported index of the host function
 */
function wrapperCode(layout: Layout, host: HostFunction, charge: number, imported: number): CodeWriter {
  const isObserved = layout.addedImports > 0;
  const { price } = host;
  const code = new CodeWriter().i64Const(BigInt(price.base));
  for (const { parameter, gas } of price.perUnit ?? []) {
    code.get(parameter).op(OP.i64ExtendI32U).i64Const(BigInt(gas)).op(OP.i64Mul, OP.i64Add);
  }
  code.call(charge);
  if (host.name === GAS_LEFT && !isObserved) return code.getGlobal(layout.gasGlobal).end();
  const addHash = isObserved ? undefined : OWN_HASHES.get(host.name);
  if (addHash !== undefined) {
    const hash = addHash(layout);
    code
      .get(...host.params.keys())
      .call(hash)
      .if()
      .op(OP.return)
      .end();
  }
  code.get(...host.params.keys()).call(imported);
  if (price.perResult !== undefined) {
    // The first parameter is no longer needed and holds the result.
    code.tee(0).i32Const(0).op(OP.i32GtS).if();
    code.get(0).op(OP.i64ExtendI32U).i64Const(BigInt(price.perResult)).op(OP.i64Mul).call(charge);
    code.end().get(0);
  }
  return code.end();
}

/** Functions that initialize and reset an instance. */
export interface LifecycleFunctions {
  /** () → (): loads the segments into a new instance. */
  readonly load: number;
  /** () → i32: 0 if the instance is in its initial state again, 1 if that is impossible. */
  readonly reset: number;
}

/**
 * Adds the functions that return an instance to its initial state for reuse: memory cleared, active segments loaded
 * again, mutable globals at their initial values, the table restored. They charge nothing: entering a contract has its
 * own price, the same for new and reused instances. Memory that grew cannot shrink, and a dropped segment is gone: such
 * an instance is discarded.
 * @param tableChanges whether code can change the table
 * @param dropsSegments whether code can drop a segment that it also reads
 */
export function addLifecycleFunctions(
  layout: Layout,
  tableChanges: boolean,
  dropsSegments: boolean,
): LifecycleFunctions {
  const load = layout.add([], [], [], loadCode(layout.module, tableChanges));
  const code = dropsSegments
    ? new CodeWriter().i32Const(1).end()
    : resetCode(layout.module, load, tableChanges);
  return { load, reset: layout.add([], [I32], [], code) };
}

function resetCode(module: WasmModule, load: number, tableChanges: boolean): CodeWriter {
  const code = new CodeWriter();
  if (module.memory !== undefined) {
    const bytes = module.memory.min * PAGE_BYTES;
    code.memorySize().i32Const(module.memory.min).op(OP.i32Ne).if().i32Const(1).op(OP.return).end();
    code.i32Const(0).i32Const(0).i32Const(bytes).op(OP.memoryFill).byte(0);
  }
  if (module.table !== undefined && tableChanges) {
    code.i32Const(0).raw(REF_NULL, FUNCREF).i32Const(module.table.min).op(OP.tableFill).byte(0);
  }
  for (const [index, { mutable, type, initial }] of module.globals.entries()) {
    if (!mutable) continue;
    if (type === I32) code.i32Const(Number(initial));
    else code.i64Const(initial);
    code.setGlobal(index);
  }
  return code.call(load).i32Const(0).end();
}

function loadCode(module: WasmModule, tableChanges: boolean): CodeWriter {
  const code = new CodeWriter();
  const initialize = (opcode: number, index: number, at: number, length: number) =>
    code.i32Const(at).i32Const(0).i32Const(length).indexed(opcode, index).byte(0);
  for (const [index, { at, functions }] of module.elements.entries()) {
    if (tableChanges && at !== undefined) initialize(OP.tableInit, index, at, functions.length);
  }
  for (const [index, { at, bytes }] of module.data.entries()) {
    if (at !== undefined && bytes.length > 0) initialize(OP.memoryInit, index, at, bytes.length);
  }
  return code.end();
}
