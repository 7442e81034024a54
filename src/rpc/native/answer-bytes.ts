import type { Sliced } from '../../async/sliced-work.js';

/** Characters that are encoded at a time. */
const SLICE = 128 * 1024;

/** The body of an answer, in pieces. */
export class AnswerBytes {
  readonly length: number;
  readonly #pieces: readonly Uint8Array[];
  /** The piece that was asked for last, and where it begins. */
  #at = 0;
  #begin = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** What follows an offset, to the end of the piece that it is in; offsets only grow. */
  from(offset: number): Uint8Array {
    for (;;) {
      const piece = this.#pieces[this.#at] ?? new Uint8Array(0);
      if (offset < this.#begin + piece.length || this.#at >= this.#pieces.length - 1) {
        return piece.subarray(offset - this.#begin);
      }
      this.#begin += piece.length;
      this.#at++;
    }
  }
}

/** Encodes a long text a little at a time. */
export function* encodedInSlices(text: string): Sliced<AnswerBytes> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + SLICE;
    const last = text.charCodeAt(end - 1);
    // Not between the halves of a character.
    const cut = last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
    pieces.push(Buffer.from(text.slice(at, cut)));
    at = cut;
    yield;
  }
  return new AnswerBytes(pieces);
}
