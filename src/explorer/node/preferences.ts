/** Choices that the browser keeps for later visits. It may refuse; a choice then lasts until the page is closed. */
export function keptChoice(key: string): string | undefined {
  return allowed(() => localStorage.getItem(key) ?? undefined);
}

export function keepChoice(key: string, value: string): void {
  allowed(() => localStorage.setItem(key, value));
}

function allowed<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
