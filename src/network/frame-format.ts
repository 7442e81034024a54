/**
 * How frames stand in the byte stream. A payload of more than {@link PIECE_BYTES} is sent in pieces, so that more urgent
 * frames go out between them: a frame `large` announces kind and length, `piece` frames follow until the length is there.
 * All but the last carry exactly PIECE_BYTES, and of each class at most one message is under way.
 */
import type { FrameSpec } from './frame-kinds.js';

/** u32le length of the payload, u8 number of the kind. */
export const HEADER_BYTES = 5;

/** What a frame carries at most. */
export const PIECE_BYTES = 64 * 1024;

/** Announces a large message: u8 number of its kind, u32le length of its payload. */
export const LARGE_NUMBER = 1;

export const LARGE_PAYLOAD_BYTES = 5;

/** A piece of a large message: u8 number of its kind, then the bytes. */
export const PIECE_NUMBER = 2;

/** Header and payload of a frame that needs no pieces. */
export function wholeFrame(spec: FrameSpec, payload: Uint8Array): Buffer {
  const frame = headed(spec.number, payload.length);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/** The frame that announces a message in pieces. */
export function largeFrame(spec: FrameSpec, payload: Uint8Array): Buffer {
  const frame = headed(LARGE_NUMBER, LARGE_PAYLOAD_BYTES);
  frame.writeUInt8(spec.number, HEADER_BYTES);
  frame.writeUInt32LE(payload.length, HEADER_BYTES + 1);
  return frame;
}

/** The frame with the piece of a payload that begins at `start`. */
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
