import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import type { CallOutcome, Frame, HostOperation } from '../../vm/engine.js';
import type { TraceBudget } from '../views/trace-budget.js';
import type { InterfaceLookup } from './call-tree-json.js';

/*
 * A profile is a tree. The children of a transaction are its frames. The children of a frame are the functions of its
 * code, nested as they call each other. A function also has the host functions and frames that it calls as children.
 *
 * Functions report the remaining gas on entry and exit. The gas used between two reports is the innermost function's
 * own, except for the price of a host operation, which counts as the operation's. So the gas of all nodes adds up
 * exactly to the gas used.
 */

/** Maximum depth of a stack; deeper functions count towards the one at this depth. Documented in `node_rpc_v1.idl`. */
const MAX_DEPTH = 256;
/** Approximate size of a node in a profile, in addition to its name. */
const NODE_BYTES = 200;
const SELECTOR_BYTES = 4;
/** Gas of a frame outside its functions: preparing the instance. */
const INSTANCE = '(instance)';
/** Intrinsic gas of a transaction. */
const TRANSACTION = '(transaction)';
const HOST = 'heddle.';

/** The identity of a node, without its position. */
interface NodeFacts {
  readonly kind: 'transaction' | 'frame' | 'function' | 'host';
  /** The name of the function; for a frame, purpose, contract and selector. */
  readonly name: string;
  readonly contract: Uint8Array;
  readonly input?: Uint8Array;
}

class ProfileNode {
  readonly children = new Map<string, ProfileNode>();
  self = 0n;
  calls = 0;

  constructor(
    readonly facts: NodeFacts,
    readonly depth = 0,
  ) {}
}

interface ProfiledFrame {
  /** The frame's running functions, innermost last; initially the frame itself. */
  readonly stack: ProfileNode[];
  /** Gas left at the last report. */
  gasLeft: bigint;
  /** The last reported operation: the frame may have ended before it was charged in full. */
  lastOperation: ProfileNode | undefined;
}

export class GasProfileCollector {
  readonly #budget: TraceBudget;
  readonly #frames: ProfiledFrame[] = [];
  readonly #roots = new ProfileNode({ kind: 'transaction', name: TRANSACTION, contract: new Uint8Array(20) });

  constructor(budget: TraceBudget) {
    this.#budget = budget;
  }

  enter(frame: Frame): void {
    const parent = this.#frames.at(-1)?.stack.at(-1) ?? this.#roots;
    const input = frame.input.subarray(0, SELECTOR_BYTES);
    const name = `${frame.purpose} ${toHex(frame.contract)} ${toHex(input)}`;
    const node = this.#child(parent, { kind: 'frame', name, contract: frame.contract, input });
    node.calls++;
    this.#frames.push({ stack: [node], gasLeft: frame.gas, lastOperation: undefined });
  }

  leave(frame: Frame, { gasUsed }: CallOutcome): void {
    const ended = this.#frames.pop();
    if (ended === undefined) return;
    this.#charge(ended, frame.gas - gasUsed);
    const innermost = ended.stack.at(-1);
    const { lastOperation } = ended;
    if (innermost !== undefined && innermost.self < 0n && lastOperation !== undefined) {
      lastOperation.self += innermost.self;
      innermost.self = 0n;
    }
    // The caller pays for a call's gas, but it is not the caller's own.
    const caller = this.#frames.at(-1);
    if (caller !== undefined) caller.gasLeft -= gasUsed;
  }

  functionEntered(name: string, gasLeft: bigint): void {
    const frame = this.#frames.at(-1);
    const caller = frame?.stack.at(-1);
    if (frame === undefined || caller === undefined) return;
    this.#charge(frame, gasLeft);
    const node = this.#child(caller, { kind: 'function', name, contract: caller.facts.contract });
    node.calls++;
    frame.stack.push(node);
  }

  functionLeft(gasLeft: bigint): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    this.#charge(frame, gasLeft);
    frame.stack.pop();
  }

  operation({ name, gas }: HostOperation): void {
    const frame = this.#frames.at(-1);
    const caller = frame?.stack.at(-1);
    if (frame === undefined || caller === undefined) return;
    const node = this.#child(caller, { kind: 'host', name, contract: caller.facts.contract });
    node.calls++;
    // If the operation has no node, its gas stays with the caller.
    if (node === caller) return;
    node.self += gas;
    caller.self -= gas;
    frame.lastOperation = node;
  }

  /** Returns the JSON of the GasProfile. @param transaction that was executed, if any */
  json(
    transaction: { readonly to: Uint8Array; readonly gasUsed: bigint } | undefined,
    abiOf: InterfaceLookup,
    budget: TraceBudget,
  ): string {
    const { to, gasUsed } = transaction ?? { to: this.#roots.facts.contract, gasUsed: totalOf(this.#roots) };
    const root = new ProfileNode({ kind: 'transaction', name: TRANSACTION, contract: to });
    root.calls = this.#roots.calls + (transaction === undefined ? 0 : 1);
    root.self = gasUsed;
    for (const [key, frame] of this.#roots.children) {
      root.children.set(key, frame);
      root.self -= totalOf(frame);
    }
    // A view call has gas outside its frame only if there was no room for the frame.
    const isShown = transaction !== undefined || root.self > 0n;
    return profileJson(isShown ? [root] : [...root.children.values()], abiOf, budget);
  }

  #charge(frame: ProfiledFrame, gasLeft: bigint): void {
    const innermost = frame.stack.at(-1);
    if (innermost !== undefined) innermost.self += frame.gasLeft - gasLeft;
    frame.gasLeft = gasLeft;
  }

  /** Returns the node of a callee, or the caller's own if there is no room for another. */
  #child(parent: ProfileNode, facts: NodeFacts): ProfileNode {
    const { kind, name } = facts;
    const key = `${kind} ${name}`;
    const known = parent.children.get(key);
    if (known !== undefined) return known;
    if (parent.depth >= MAX_DEPTH || !this.#budget.take(NODE_BYTES + name.length)) return parent;
    const node = new ProfileNode(facts, parent.depth + 1);
    parent.children.set(key, node);
    return node;
  }
}

function totalOf(node: ProfileNode): bigint {
  let total = node.self;
  for (const child of node.children.values()) total += totalOf(child);
  return total;
}

interface FunctionSum {
  readonly contract: string;
  readonly name: string;
  self: bigint;
  total: bigint;
  calls: number;
  /** Number of times it is on the stack: a recursive function's nested calls must count only once. */
  active: number;
}

/** Returns the JSON of a GasProfile. The functions, which are few, have the budget before the stacks. */
function profileJson(roots: readonly ProfileNode[], abiOf: InterfaceLookup, budget: TraceBudget): string {
  const sums = new FunctionSums();
  for (const root of roots) sums.add(root);
  const functions = sums.json(budget);
  const stacks: string[] = [];
  for (const root of roots) foldStacks(root, '', stacks, abiOf, budget);
  return `{"functions":${functions},"folded":[${stacks.join(',')}]}`;
}

class FunctionSums {
  readonly #sums = new Map<string, FunctionSum>();

  add(node: ProfileNode): bigint {
    const sum = this.#sumOf(node);
    sum.self += node.self;
    sum.calls += node.calls;
    sum.active++;
    let total = node.self;
    for (const child of node.children.values()) total += this.add(child);
    sum.active--;
    if (sum.active === 0) sum.total += total;
    return total;
  }

  json(budget: TraceBudget): string {
    const sums = [...this.#sums.values()].sort((a, b) => Number(b.self - a.self));
    const functions: string[] = [];
    for (const { contract, name, self, total, calls } of sums) {
      const text = `{"contract":"0x${contract}","function":${JSON.stringify(name)},"self_gas":${self},"total_gas":${total},"calls":${calls}}`;
      if (!budget.take(text.length + 1)) break;
      functions.push(text);
    }
    return `[${functions.join(',')}]`;
  }

  #sumOf(node: ProfileNode): FunctionSum {
    const contract = toHex(node.facts.contract);
    const name = functionName(node.facts);
    const key = `${contract} ${name}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { contract, name, self: 0n, total: 0n, calls: 0, active: 0 };
      this.#sums.set(key, sum);
    }
    return sum;
  }
}

function foldStacks(
  node: ProfileNode,
  outer: string,
  lines: string[],
  abiOf: InterfaceLookup,
  budget: TraceBudget,
): void {
  if (budget.isExhausted) return;
  const label = labelOf(node.facts, abiOf);
  const stack = outer === '' ? label : `${outer};${label}`;
  if (stack.length > budget.left) {
    budget.exhaust();
    return;
  }
  if (node.self > 0n) {
    const line = JSON.stringify(`${stack} ${node.self}`);
    if (budget.take(line.length + 1)) lines.push(line);
  }
  for (const child of node.children.values()) foldStacks(child, stack, lines, abiOf, budget);
}

/** Returns the label of a node in a stack. Replaces control characters and `;`, which separates stack entries. */
function labelOf(facts: NodeFacts, abiOf: InterfaceLookup): string {
  const label = facts.kind === 'frame' ? frameLabel(facts, abiOf(facts.contract)) : functionName(facts);
  return label.replaceAll(/[;\p{Cc}]/gu, '_');
}

function frameLabel({ contract, input }: NodeFacts, abi: ContractAbi | undefined): string {
  const called = input === undefined ? undefined : abi?.functionOf(input)?.name;
  return `${abi?.name ?? toPrefixedHex(contract)}${called === undefined ? '' : `.${called}`}`;
}

function functionName({ kind, name }: NodeFacts): string {
  switch (kind) {
    case 'transaction':
      return TRANSACTION;
    case 'frame':
      return INSTANCE;
    case 'host':
      return HOST + name;
    case 'function':
      return name;
  }
}
