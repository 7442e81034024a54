/** Caches the value of `ask`; after a failure the next caller asks again. */
export function cached<T>(ask: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => {
    if (value === undefined) {
      value = ask();
      value.catch(() => {
        value = undefined;
      });
    }
    return value;
  };
}
