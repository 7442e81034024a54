/** Number of names counted each by themselves: names come from nodes, and memory must not grow with them. */
const MAX_NAMES = 64;

/** Stands for malformed names, and for those beyond the limit. */
const OTHER = 'other';

const SNAKE = /^[a-z][a-z0-9_]{0,63}$/;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Well-formed names that validators of JSON objects drop. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a text is a short word in snake case, as statuses and error kinds are. */
export function isSnakeName(text: string): boolean {
  return SNAKE.test(text) && !FORBIDDEN_NAMES.has(text);
}

/** Whether a text is a short identifier, as the names of a contract's errors are. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && !FORBIDDEN_NAMES.has(text);
}

/** Counts by name. Names that `isName` refuses, and those beyond a limit, count as `other`. */
export class NameCounts {
  readonly #counts = new Map<string, number>();
  readonly #isName: (text: string) => boolean;

  constructor(isName: (text: string) => boolean) {
    this.#isName = isName;
  }

  add(name: string, count: number): void {
    const known = this.#counts.has(name) || (this.#counts.size < MAX_NAMES && this.#isName(name));
    const counted = known ? name : OTHER;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + count);
  }

  /** The counts, the most frequent first. */
  toRecord(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([, a], [, b]) => b - a));
  }
}
