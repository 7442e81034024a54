/** More than one answer may have. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'AnswerTooLongError';

  /** @param limit bytes */
  constructor(readonly limit: number) {
    super(`an answer has at most ${limit} bytes`);
  }
}

/** Bytes that one answer may have unless told otherwise. */
export const DEFAULT_MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Bytes of bodies and receipts after which a page of a listing ends: reading them takes about 100 ms. */
export const MAX_FETCHED_BYTES = 32 * 1024 * 1024;

/** What of this thread is as it was set at its start; every answer that it makes is held against it. */
let most = DEFAULT_MAX_RESPONSE_BYTES;

/** Sets how many bytes one answer may have that this thread makes. */
export function setMaxResponseBytes(bytes: number): void {
  most = bytes;
}

/** How many bytes one answer may have. */
export function maxResponseBytes(): number {
  return most;
}

/**
 * To be asked while an answer is put together, before each part is added: so that what is too long is never made.
 * @param length of the answer so far, in bytes, or a lower bound of it, such as its UTF-16 units
 * @throws ResponseTooLargeError
 */
export function checkResponseSize(length: number): void {
  if (length > most) throw new ResponseTooLargeError(most);
}

/** As {@link checkResponseSize} for a whole answer, counted in bytes of UTF-8. @returns the text */
export function checkedResponse(text: string): string {
  // Nearly every answer is far below the limit, whatever its characters take.
  if (text.length * 3 > most && (text.length > most || Buffer.byteLength(text) > most)) {
    throw new ResponseTooLargeError(most);
  }
  return text;
}
