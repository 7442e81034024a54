/**
 * The tab's session storage, for secrets that the user asked to keep. It ends with the tab, and no other origin can
 * read it. Browsers may deny access, for example in private windows; secrets then stay in memory.
 */
function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

export function stored(key: string): string | undefined {
  return storage()?.getItem(key) ?? undefined;
}

/** Stores a value, or removes it. */
export function store(key: string, value: string | undefined): void {
  if (value === undefined) storage()?.removeItem(key);
  else storage()?.setItem(key, value);
}
