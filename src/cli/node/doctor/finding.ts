/** Names of the checks, in the order of the report. */
export type CheckName =
  | 'node version'
  | 'user'
  | 'open files'
  | 'data directory'
  | 'disk space'
  | 'file system'
  | 'memory'
  | 'clock'
  | 'clocks of nodes'
  | 'native parts'
  | 'configuration'
  | 'genesis'
  | 'validator key'
  | 'validator files'
  | 'token files'
  | 'issuer keys'
  | 'quota store'
  | 'RPC port'
  | 'p2p port'
  | 'public address'
  | 'proxy'
  | 'tracing';

/** `warning`: the node starts but may fail or be exposed later. `problem`: it does not start, or leaks a secret. */
export type Verdict = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly check: CheckName;
  readonly result: Verdict;
  readonly found: string;
  readonly expected: string;
  /** The remedy; absent if the result is ok. */
  readonly advice?: string;
}

export function ok(check: CheckName, found: string, expected: string): Finding {
  return { check, result: 'ok', found, expected };
}

export function warning(check: CheckName, found: string, expected: string, advice: string): Finding {
  return { check, result: 'warning', found, expected, advice };
}

export function problem(check: CheckName, found: string, expected: string, advice: string): Finding {
  return { check, result: 'problem', found, expected, advice };
}
