import type { ViewCallArgs } from '../../generated/node-rpc-v1.js';
import type { JsonValue } from '../../idl/json-value.js';
import type { CallText } from '../../ledger/call-input.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { BatchHead } from '../views/batched-calls.js';
import { CALL_KINDS, type CallKind } from '../views/batched-calls.js';
import type { ViewCall } from '../views/run-view-call.js';

/*
 * View calls, and others, on their way to a worker and back.
 *
 * A batch is one Uint8Array, because a structured clone of bytes costs little and one of many small objects much (see
 * `bench/view-call.bench.ts`). Numbers are little-endian:
 *
 *   batch := task u32 ‖ tip height f64 ‖ finalized height f64 ‖ milliseconds since 1970 f64 ‖ call*
 *   call  := view | other
 *   other := length u32, itself not counted ‖ 128 u8 ‖ place in CALL_KINDS u8 ‖ JSON of the arguments, in UTF-8
 *   view  := length u32, itself not counted ‖ flags u8 ‖ contract 20 ‖ [caller 20] ‖ [value 16] ‖ [gas limit f64]
 *            ‖ [method: text] ‖ [args: text] ‖ [input: bytes] ‖ [rest: text]
 *   text, bytes := length u32 ‖ that many bytes
 *
 * `rest` is the JSON of a ViewCallArgs of the members that few calls have. The answers to a batch are one text of a line
 * for each call, see `call-answers.ts`.
 */

const HEAD_BYTES = 28;
/** The most that a call takes without its texts and its input. */
const FIXED_BYTES = 5 + 20 + 20 + 16 + 8 + 4 * 4;
const CALLER = 1;
const VALUE = 2;
const GAS_LIMIT = 4;
const METHOD = 8;
const ARGS = 16;
const INPUT = 32;
const REST = 64;
/** Alone: the call is no view call. */
const OTHER = 128;
const OTHER_HEAD_BYTES = 6;

/** A view call as a worker gets it; what was left out is undefined. */
export interface DecodedCall extends ViewCall {
  readonly kind: 'view_call';
  /** `at`, `idl`, `overrides` and `block_override`. */
  readonly rest: ViewCallArgs | undefined;
}

/** Another call as a worker gets it. */
export interface EncodedCall {
  readonly kind: CallKind;
  /** JSON text of the method's arguments. */
  readonly args: string;
}

/** @param args JSON text of the method's arguments */
export function encodeOtherCall(kind: CallKind, args: string): Uint8Array {
  const bytes = Buffer.allocUnsafe(OTHER_HEAD_BYTES + roomFor(args));
  const end = OTHER_HEAD_BYTES + bytes.write(args, OTHER_HEAD_BYTES, 'utf8');
  bytes.writeUInt32LE(end - 4, 0);
  bytes[4] = OTHER;
  bytes[5] = CALL_KINDS.indexOf(kind);
  return bytes.subarray(0, end);
}

/** Encodes one call, its length in front. Hot: guarded by `bench/view-call.bench.ts`. */
export function encodeCall(args: ViewCallArgs): Uint8Array {
  const { contract, caller, value, gas_limit, method, input } = args;
  const argsText = args.args === undefined ? '' : JSON.stringify(args.args);
  const rest = hasRest(args) ? restText(args) : '';
  const room = roomFor(method) + roomFor(argsText) + roomFor(rest) + (input?.length ?? 0);
  const bytes = Buffer.allocUnsafe(FIXED_BYTES + room);
  let flags = 0;
  bytes.set(contract, 5);
  let at = 25;
  if (caller !== undefined) {
    flags |= CALLER;
    bytes.set(caller, at);
    at += 20;
  }
  if (value !== undefined && value > 0n) {
    flags |= VALUE;
    at = bytes.writeBigUInt64LE(BigInt.asUintN(64, value), at);
    at = bytes.writeBigUInt64LE(value >> 64n, at);
  }
  if (gas_limit !== undefined) {
    flags |= GAS_LIMIT;
    at = bytes.writeDoubleLE(Number(gas_limit), at);
  }
  if (method !== undefined) {
    flags |= METHOD;
    at = writeText(bytes, at, method);
  }
  if (argsText !== '') {
    flags |= ARGS;
    at = writeText(bytes, at, argsText);
  }
  if (input !== undefined) {
    flags |= INPUT;
    at = bytes.writeUInt32LE(input.length, at);
    bytes.set(input, at);
    at += input.length;
  }
  if (rest !== '') {
    flags |= REST;
    at = writeText(bytes, at, rest);
  }
  bytes[4] = flags;
  bytes.writeUInt32LE(at - 4, 0);
  return bytes.subarray(0, at);
}

function hasRest({ at, idl, overrides, block_override }: ViewCallArgs): boolean {
  return (
    (at !== undefined && at.type !== 'latest') ||
    idl !== undefined ||
    overrides !== undefined ||
    block_override !== undefined
  );
}

function restText({ contract, at, idl, overrides, block_override }: ViewCallArgs): string {
  return rpcTypes.ViewCallArgs.toJson({
    contract,
    ...(at === undefined ? {} : { at }),
    ...(idl === undefined ? {} : { idl }),
    ...(overrides === undefined ? {} : { overrides }),
    ...(block_override === undefined ? {} : { block_override }),
  });
}

/** Bytes that are enough for a text: not much more than it takes where it is long, as it may have to wait. */
function roomFor(text: string | undefined): number {
  if (text === undefined) return 0;
  return text.length < 256 ? 3 * text.length : Buffer.byteLength(text);
}

function writeText(bytes: Buffer, at: number, text: string): number {
  const length = bytes.write(text, at + 4, 'utf8');
  bytes.writeUInt32LE(length, at);
  return at + 4 + length;
}

/** Puts encoded calls together. */
export function encodeBatch(head: BatchHead, calls: readonly Uint8Array[]): Uint8Array {
  let length = HEAD_BYTES;
  for (const call of calls) length += call.length;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, head.task, true);
  view.setFloat64(4, head.tipHeight, true);
  view.setFloat64(12, head.finalizedHeight, true);
  view.setFloat64(20, head.nowMs, true);
  let at = HEAD_BYTES;
  for (const call of calls) {
    bytes.set(call, at);
    at += call.length;
  }
  return bytes;
}

/** Reads a batch call by call. */
export class BatchReader {
  readonly head: BatchHead;
  readonly #bytes: Buffer;
  #at = HEAD_BYTES;

  constructor(batch: Uint8Array) {
    const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength);
    this.#bytes = bytes;
    this.head = {
      task: bytes.readUInt32LE(0),
      tipHeight: bytes.readDoubleLE(4),
      finalizedHeight: bytes.readDoubleLE(12),
      nowMs: bytes.readDoubleLE(20),
    };
  }

  /** The next call; undefined after the last. */
  next(): DecodedCall | EncodedCall | undefined {
    const bytes = this.#bytes;
    if (this.#at >= bytes.length) return undefined;
    const end = this.#at + 4 + bytes.readUInt32LE(this.#at);
    const flags = bytes[this.#at + 4] ?? 0;
    if (flags === OTHER) return this.#other(end);
    this.#at += 5;
    const contract = this.#take(20);
    const caller = (flags & CALLER) === 0 ? undefined : this.#take(20);
    const value = (flags & VALUE) === 0 ? 0n : this.#amount();
    const gasLimit = (flags & GAS_LIMIT) === 0 ? undefined : this.#double();
    const text = this.#callText(flags);
    const rest = (flags & REST) === 0 ? undefined : rpcTypes.ViewCallArgs.fromJson(JSON.parse(this.#text()));
    this.#at = end;
    return {
      kind: 'view_call',
      contract,
      caller,
      value,
      gasLimit,
      text,
      idl: rest?.idl,
      path: 'params',
      rest,
    };
  }

  #other(end: number): EncodedCall {
    const place = this.#bytes[this.#at + 5] ?? CALL_KINDS.length;
    const kind = CALL_KINDS[place];
    if (kind === undefined)
      throw new RangeError(`calls: expected a kind below ${CALL_KINDS.length}, got ${place}`);
    this.#at += OTHER_HEAD_BYTES;
    const args = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return { kind, args };
  }

  #callText(flags: number): CallText {
    // The two that almost all calls are; objects of few shapes.
    if ((flags & (METHOD | ARGS | INPUT)) === INPUT) return { input: this.#take(this.#u32()) };
    if ((flags & (METHOD | ARGS | INPUT)) === (METHOD | ARGS)) {
      return { method: this.#text(), args: this.#json() };
    }
    return {
      ...((flags & METHOD) === 0 ? {} : { method: this.#text() }),
      ...((flags & ARGS) === 0 ? {} : { args: this.#json() }),
      ...((flags & INPUT) === 0 ? {} : { input: this.#take(this.#u32()) }),
    };
  }

  #take(length: number): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    const taken = new Uint8Array(buffer, byteOffset + this.#at, length);
    this.#at += length;
    return taken;
  }

  #u32(): number {
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  #double(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  #amount(): bigint {
    const low = this.#bytes.readBigUInt64LE(this.#at);
    const high = this.#bytes.readBigUInt64LE(this.#at + 8);
    this.#at += 16;
    return (high << 64n) | low;
  }

  #text(): string {
    const length = this.#u32();
    const text = this.#bytes.toString('utf8', this.#at, this.#at + length);
    this.#at += length;
    return text;
  }

  #json(): JsonValue {
    const value: JsonValue = JSON.parse(this.#text());
    return value;
  }
}
