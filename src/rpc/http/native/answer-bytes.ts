import { Buffer } from 'node:buffer';
import type { Sliced } from '../../../async/sliced-work.js';
import { sliceEnd } from '../../text-slices.js';

/** Maximum length, in UTF-16 units, of a text encoded into the shared buffer. */
const MAX_TRANSIENT_LENGTH = 32 * 1024;
const UTF8_BYTES_PER_UNIT = 3;
const transient = Buffer.allocUnsafeSlow(UTF8_BYTES_PER_UNIT * MAX_TRANSIENT_LENGTH);

/** The body of an answer, read from front to back. */
export interface AnswerBytes {
  readonly length: number;
  /** Returns bytes starting at an offset, not necessarily all the rest; offsets never decrease. */
  from(offset: number): Uint8Array;
}

/**
 * Encodes a text for the HTTP library, into memory that the next call overwrites. The library copies what it cannot send
 * at once. It takes bytes faster than a string, because it has to count the bytes of a string first.
 */
export function transientBytes(text: string): Uint8Array {
  if (text.length > MAX_TRANSIENT_LENGTH) return Buffer.from(text);
  return transient.subarray(0, transient.write(text));
}

/** Below this length, the library takes a text as fast as its bytes. */
const MIN_TRANSIENT_LENGTH = 512;

/** The form of a short text that the library takes fastest. */
export function shortAnswer(text: string): string | Uint8Array {
  return text.length < MIN_TRANSIENT_LENGTH ? text : transientBytes(text);
}

export function encodedAnswer(bytes: Uint8Array): AnswerBytes {
  return { length: bytes.length, from: (offset) => bytes.subarray(offset) };
}

/** Measures a long text in slices, for a body that is encoded while being sent. */
export function* measuredInSlices(text: string): Sliced<AnswerBytes> {
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const end = sliceEnd(text, at);
    length += Buffer.byteLength(text.slice(at, end));
    at = end;
    yield;
  }
  return new LongAnswer(text, length);
}

/**
 * A body kept as a string until it is sent. For a peer that does not read, it occupies heap memory, which returns to
 * the system; many large buffers would fragment the C library's memory instead.
 */
class LongAnswer implements AnswerBytes {
  readonly length: number;
  readonly #text: string;
  #next = 0;
  /** The current slice, encoded, and the offset of its first byte. */
  #slice = new Uint8Array(0);
  #begin = 0;

  constructor(text: string, length: number) {
    this.#text = text;
    this.length = length;
  }

  from(offset: number): Uint8Array {
    while (offset >= this.#begin + this.#slice.length && this.#next < this.#text.length) {
      const end = sliceEnd(this.#text, this.#next);
      this.#begin += this.#slice.length;
      this.#slice = Buffer.from(this.#text.slice(this.#next, end));
      this.#next = end;
    }
    return this.#slice.subarray(offset - this.#begin);
  }
}
