import { deserialize, serialize } from 'node:v8';
import type { ReadRequest } from '../read-requests.js';
import type { ReplayRequest } from '../tracing/replay-messages.js';
import { type BatchHead, CALL_KINDS, type CallKind } from '../views/batched-calls.js';

/*
 * Encoding of view calls, simulations, traces, replays, and reads of the store for a worker.
 *
 * A batch is one Uint8Array: a structured clone is cheap for bytes, and expensive for many small objects (see
 * `bench/view-call.bench.ts`). Numbers are little-endian:
 *
 *   batch := task u32 ‖ tip height f64 ‖ finalized height f64 ‖ milliseconds since 1970 f64 ‖ call*
 *   call := length u32, itself excluded ‖ kind u8 ‖ parameters
 *   kind := index in CALL_KINDS, plus 128 if a gas limit f64 from the caller's token follows; 254: replay; 255: read
 *
 * Parameters are JSON in UTF-8, as the client sent them; the worker parses and checks them, see `views/call-params.ts`.
 * Those of a replay are the JSON of a ReplayRequest; those of a read, a ReadRequest in the serialization of node:v8.
 * The results of a batch are one text with a line for each call, see `call-answers.ts`.
 */

const HEAD_BYTES = 28;
const CALL_HEAD_BYTES = 5;
const GAS_BYTES = 8;

/** Added to the kind of a call with a gas limit from the caller's token. */
const LIMITED = 128;
const REPLAY = 254;
const READ = 255;

/** A call as a worker receives it. */
export type EncodedCall =
  | {
      readonly kind: CallKind;
      /** JSON text of the method's parameters. */
      readonly params: string;
      /** Gas limit from the caller's token. */
      readonly maxGas?: number;
    }
  | { readonly kind: 'replay'; readonly request: ReplayRequest }
  | { readonly kind: 'read'; readonly request: ReadRequest };

/** Encodes one call after its length. Hot: guarded by `bench/view-call.bench.ts`. */
export function encodeCall(kind: CallKind, params: string, maxGas?: number): Uint8Array {
  const place = CALL_KINDS.indexOf(kind);
  if (maxGas === undefined) return encode(place, params);
  const bytes = encode(place + LIMITED, params, GAS_BYTES);
  bytes.writeDoubleLE(maxGas, CALL_HEAD_BYTES);
  return bytes;
}

/** Encodes a request for the next part of a block's write log, length-prefixed. */
export function encodeReplay(request: ReplayRequest): Uint8Array {
  return encode(REPLAY, JSON.stringify(request));
}

/** @param gap bytes between the head and the parameters */
function encode(place: number, params: string, gap = 0): Buffer {
  // Long parameters are sized exactly, as the call may have to wait in memory.
  const room = params.length < 256 ? 3 * params.length : Buffer.byteLength(params);
  const start = CALL_HEAD_BYTES + gap;
  const bytes = Buffer.allocUnsafe(start + room);
  const end = start + bytes.write(params, start, 'utf8');
  bytes.writeUInt32LE(end - 4, 0);
  bytes[4] = place;
  return bytes.subarray(0, end);
}

export function encodeRead(request: ReadRequest): Uint8Array {
  const params = serialize(request);
  const bytes = Buffer.allocUnsafe(CALL_HEAD_BYTES + params.length);
  bytes.writeUInt32LE(bytes.length - 4, 0);
  bytes[4] = READ;
  bytes.set(params, CALL_HEAD_BYTES);
  return bytes;
}

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

  next(): EncodedCall | undefined {
    const bytes = this.#bytes;
    const at = this.#at;
    if (at >= bytes.length) return undefined;
    const end = at + 4 + bytes.readUInt32LE(at);
    const place = bytes[at + 4] ?? CALL_KINDS.length;
    this.#at = end;
    if (place === READ) {
      const request: ReadRequest = deserialize(bytes.subarray(at + CALL_HEAD_BYTES, end));
      return { kind: 'read', request };
    }
    if (place === REPLAY) {
      return { kind: 'replay', request: JSON.parse(bytes.toString('utf8', at + CALL_HEAD_BYTES, end)) };
    }
    const kind = CALL_KINDS[place % LIMITED];
    if (kind === undefined) {
      throw new RangeError(`calls: expected a kind below ${CALL_KINDS.length}, got ${place}`);
    }
    if (place < LIMITED) return { kind, params: bytes.toString('utf8', at + CALL_HEAD_BYTES, end) };
    const params = bytes.toString('utf8', at + CALL_HEAD_BYTES + GAS_BYTES, end);
    return { kind, params, maxGas: bytes.readDoubleLE(at + CALL_HEAD_BYTES) };
  }
}
