import { integerJson } from '../../idl/codecs/json-writer.js';
import { toHex } from '../../idl/hex.js';
import type { HostOperation, HostOperationValue } from '../../vm/engine.js';
import type { TraceBudget } from '../views/trace-budget.js';

/** Hashes and slots, and functions that return hashes: written as 64 hex digits without a prefix. */
const DIGEST_ARGUMENTS: ReadonlySet<string> = new Set(['slot', 'topics', 'hash']);
const DIGEST_RESULTS: ReadonlySet<string> = new Set(['sha256', 'blake3', 'keccak256']);
/** Amounts are JSON strings; other wide numbers are JSON numbers if JavaScript holds them exactly. */
const AMOUNT_ARGUMENTS: ReadonlySet<string> = new Set(['value', 'amount']);
const AMOUNT_RESULTS: ReadonlySet<string> = new Set(['value', 'balance']);

/** The host operations of a trace, each converted to the JSON of a HostOp when it is done. */
export class HostOpList {
  readonly #budget: TraceBudget;
  readonly #texts: string[] = [];

  constructor(budget: TraceBudget) {
    this.#budget = budget;
  }

  add(frame: number, operation: HostOperation): void {
    if (this.#budget.isExhausted) return;
    const text = operationJson(frame, operation);
    if (this.#budget.take(text.length + 1)) this.#texts.push(text);
  }

  /** Returns the JSON of the operations, truncated to the remaining budget. */
  json(budget: TraceBudget): string {
    return budget.list(this.#texts);
  }
}

function operationJson(frame: number, { name, gas, args, result }: HostOperation): string {
  const members = Object.entries(args).map(
    ([key, value]) => `"${key}":${valueJson(value, DIGEST_ARGUMENTS.has(key), AMOUNT_ARGUMENTS.has(key))}`,
  );
  const shown =
    result === undefined
      ? ''
      : `,"result":${valueJson(result, DIGEST_RESULTS.has(name), AMOUNT_RESULTS.has(name))}`;
  return `{"frame":${frame},"name":"${name}","gas":${gas},"args":{${members.join(',')}}${shown}}`;
}

function valueJson(value: HostOperationValue, isDigest: boolean, isAmount: boolean): string {
  switch (typeof value) {
    case 'bigint':
      return isAmount ? `"${value}"` : `${integerJson(value)}`;
    case 'number':
    case 'boolean':
      return `${value}`;
    case 'string':
      return JSON.stringify(value);
    default:
      return value instanceof Uint8Array
        ? bytesJson(value, isDigest)
        : `[${value.map((each) => bytesJson(each, isDigest)).join(',')}]`;
  }
}

function bytesJson(bytes: Uint8Array, isDigest: boolean): string {
  return `"${isDigest ? '' : '0x'}${toHex(bytes)}"`;
}
