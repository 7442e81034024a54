/** `warning`: the node starts but may fail or be exposed later. `problem`: it does not start, or leaks a secret. */
export type Verdict = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly result: Verdict;
  readonly found: string;
  readonly expected: string;
  /** The remedy; absent if the result is ok. */
  readonly advice?: string;
}

export function ok(found: string, expected: string): Finding {
  return { result: 'ok', found, expected };
}

export function warning(found: string, expected: string, advice: string): Finding {
  return { result: 'warning', found, expected, advice };
}

export function problem(found: string, expected: string, advice: string): Finding {
  return { result: 'problem', found, expected, advice };
}
