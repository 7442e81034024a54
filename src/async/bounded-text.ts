/** Thrown when a body is longer than its reader takes. */
export class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError';

  constructor(readonly maxBytes: number) {
    super(`longer than ${maxBytes} bytes`);
  }
}

/**
 * The text of an HTTP response. Reading ends as soon as the decompressed body exceeds `maxBytes`, and with it the transfer.
 * @throws BodyTooLongError; any error of the transfer
 */
export async function boundedText(
  response: Pick<Response, 'body' | 'text'>,
  maxBytes: number,
): Promise<string> {
  // Without a stream the body is empty, or a replacement of `fetch` has read it already.
  if (!response.body) return response.text();
  // Not every browser iterates over a stream.
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      const tooLong = new BodyTooLongError(maxBytes);
      await reader.cancel(tooLong);
      throw tooLong;
    }
    text += decoder.decode(value, { stream: true });
  }
}
