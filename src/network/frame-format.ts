/**
 * Framing of the byte stream. A payload of more than {@link PIECE_BYTES} is sent in pieces, so that more urgent frames
 * can go out in between: a `large` frame announces kind and length, then `piece` frames follow until the payload is
 * complete. All pieces but the last carry exactly PIECE_BYTES, and each class has at most one such message in flight.
 */
import type { FrameSpec } from './frame-kinds.js';

/** Header: u32le payload length, u8 kind number. */
export const HEADER_BYTES = 5;

export const PIECE_BYTES = 64 * 1024;

/** Announces a large message: u8 kind number, u32le payload length. */
export const LARGE_NUMBER = 1;

export const LARGE_PAYLOAD_BYTES = 5;

/** A piece of a large message: u8 kind number, then the bytes. */
export const PIECE_NUMBER = 2;

export function wholeFrame(spec: FrameSpec, payload: Uint8Array): Buffer {
  const frame = headed(spec.number, payload.length);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

export function largeFrame(spec: FrameSpec, payload: Uint8Array): Buffer {
  const frame = headed(LARGE_NUMBER, LARGE_PAYLOAD_BYTES);
  frame.writeUInt8(spec.number, HEADER_BYTES);
  frame.writeUInt32LE(payload.length, HEADER_BYTES + 1);
  return frame;
}

export function pieceFrame(spec: FrameSpec, payload: Uint8Array, start: number): Buffer {
  const piece = payload.subarray(start, start + PIECE_BYTES);
  const frame = headed(PIECE_NUMBER, 1 + piece.length);
  frame.writeUInt8(spec.number, HEADER_BYTES);
  frame.set(piece, HEADER_BYTES + 1);
  return frame;
}

function headed(number: number, payloadBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payloadBytes);
  frame.writeUInt32LE(payloadBytes, 0);
  frame.writeUInt8(number, 4);
  return frame;
}
