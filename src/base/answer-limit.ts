/** Thrown when an answer would exceed `--max-answer-bytes`. */
export class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';

  /** @param limit maximum size in bytes */
  constructor(readonly limit: number) {
    super(`an answer may have at most ${limit} bytes`);
  }
}

/** Default maximum size of an answer, in bytes. */
export const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** This thread's limit, set once when it starts: passed along, every query and simulation would carry it. */
let maxBytes = DEFAULT_MAX_ANSWER_BYTES;

/** Sets the maximum size of this thread's answers, in bytes. */
export function setMaxAnswerBytes(bytes: number): void {
  maxBytes = bytes;
}

export function maxAnswerBytes(): number {
  return maxBytes;
}

/**
 * Checks the size of an answer while it is being built, before each part is added, so that oversized answers are
 * never completed.
 * @param length size so far in bytes, or a lower bound such as its length in UTF-16 units
 * @throws AnswerTooLongError
 */
export function checkAnswerSize(length: number): void {
  if (length > maxBytes) throw new AnswerTooLongError(maxBytes);
}

/** Like {@link checkAnswerSize} for a complete answer, in UTF-8 bytes. @returns the text */
export function checkedAnswer(text: string): string {
  // Nearly every answer is far below the limit even at three bytes per UTF-16 unit.
  if (text.length * 3 > maxBytes && (text.length > maxBytes || Buffer.byteLength(text) > maxBytes)) {
    throw new AnswerTooLongError(maxBytes);
  }
  return text;
}
