/** Parses an option of one or more positive integers separated by commas. @throws RangeError */
export function sizes(option: string, text: string): readonly number[] {
  return text.split(',').map((part) => {
    const size = Number(part);
    if (Number.isSafeInteger(size) && size > 0) return size;
    throw new RangeError(`--${option}: expected positive integers separated by commas, got ${text}`);
  });
}

/** The powers of ten from `from` to `to`, both included. */
export function decades(from: number, to: number): readonly number[] {
  const found: number[] = [];
  for (let size = from; size <= to; size *= 10) found.push(size);
  return found;
}
