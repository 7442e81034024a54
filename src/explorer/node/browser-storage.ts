/**
 * What the browser keeps: choices for later visits, and secrets that the user asked to keep for this tab, which no other
 * origin can read. It may refuse, for example in private windows; both then last until the page is closed.
 */
function allowed<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

export function keptChoice(key: string): string | undefined {
  return allowed(() => localStorage.getItem(key) ?? undefined);
}

export function keepChoice(key: string, value: string): void {
  allowed(() => localStorage.setItem(key, value));
}

/** A secret of this tab. */
export function stored(key: string): string | undefined {
  return allowed(() => globalThis.sessionStorage?.getItem(key) ?? undefined);
}

/** Stores a secret of this tab, or removes it. */
export function store(key: string, value: string | undefined): void {
  allowed(() =>
    value === undefined
      ? globalThis.sessionStorage?.removeItem(key)
      : globalThis.sessionStorage?.setItem(key, value),
  );
}
