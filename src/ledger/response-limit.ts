/** Thrown when a response would exceed the maximum size. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'ResponseTooLargeError';

  /** @param limit maximum size in bytes */
  constructor(readonly limit: number) {
    super(`a response may have at most ${limit} bytes`);
  }
}

/** Default maximum size of a response, in bytes. */
export const DEFAULT_MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Bytes of bodies and receipts after which a listing page ends; reading them takes about 100 ms. */
export const MAX_FETCHED_BYTES = 32 * 1024 * 1024;

/** A page ends once it has compiled this many bytes of interface text: more would hold up others for a second. */
export const MAX_COMPILED_BYTES = 256 * 1024;

/** This thread's limit, set when it starts and applied to all its responses. */
let maxBytes = DEFAULT_MAX_RESPONSE_BYTES;

/** Sets the maximum size of this thread's responses, in bytes. */
export function setMaxResponseBytes(bytes: number): void {
  maxBytes = bytes;
}

export function maxResponseBytes(): number {
  return maxBytes;
}

/**
 * Checks the size of a response while it is being built, before each part is added, so that oversized responses are
 * never completed.
 * @param length size so far in bytes, or a lower bound such as its length in UTF-16 units
 * @throws ResponseTooLargeError
 */
export function checkResponseSize(length: number): void {
  if (length > maxBytes) throw new ResponseTooLargeError(maxBytes);
}

/** Like {@link checkResponseSize} for a complete response, in UTF-8 bytes. @returns the text */
export function checkedResponse(text: string): string {
  // Nearly every response is far below the limit even at three bytes per UTF-16 unit.
  if (text.length * 3 > maxBytes && (text.length > maxBytes || Buffer.byteLength(text) > maxBytes)) {
    throw new ResponseTooLargeError(maxBytes);
  }
  return text;
}
