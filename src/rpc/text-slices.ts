/** Length of a slice, in characters: encoding one takes far less than a millisecond. */
const SLICE_LENGTH = 128 * 1024;

/** End of the slice of a text that starts at `at`; never splits a surrogate pair. */
export function sliceEnd(text: string, at: number): number {
  const end = at + SLICE_LENGTH;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
