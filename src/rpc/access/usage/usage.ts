/** Calls that a token was charged for and their compute units. A refund takes away a call and its price. */
export interface Use {
  readonly calls: number;
  readonly units: number;
}

export interface MethodUse extends Use {
  /** The plain name of a method that the node serves. */
  readonly method: string;
}

/** What a store holds of a method; a refund after midnight can take the counts of a day below zero. */
export function methodUse(method: string, calls: number, units: number): MethodUse {
  return { method, calls: Math.max(0, calls), units: Math.max(0, units) };
}

export interface TokenDayKey {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly token: string;
}

export interface TokenDay extends TokenDayKey {
  readonly subject: string;
  readonly methods: readonly MethodUse[];
}

export interface UsageQuery {
  /** First and last day, at most 400 days. */
  readonly from: string;
  readonly to: string;
  /** Id of a token; absent for all. */
  readonly token?: string | undefined;
  /** Continues after this entry of an earlier answer. */
  readonly after?: TokenDayKey | undefined;
  readonly limit: number;
}

/** Reads usage; calls of the last few seconds may be missing. */
export interface UsageReader {
  /** Entries by day, then by token in the order of UTF-8. @throws QuotaError unavailable */
  usage(query: UsageQuery): Promise<readonly TokenDay[]>;
}

export interface UsageStore extends UsageReader {
  /** False while the store does not answer. */
  readonly isUp: boolean;
  /**
   * Adds to the stored usage. One call at a time.
   * @throws QuotaError unavailable, through the promise; the usage may have been added
   */
  add(usage: readonly TokenDay[]): Promise<void>;
  purge(before: string): Promise<void>;
}
