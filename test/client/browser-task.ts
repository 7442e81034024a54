/** What the page is handed. */
export interface ClientTask {
  readonly url: string;
  /** A token on the chain of the node; its interface is there too. */
  readonly token: string;
}

/** What the page found. */
export interface ClientVerdict {
  readonly chainId: string;
  readonly transfer: string;
  readonly call: string;
  readonly event: unknown;
  readonly balance: unknown;
  readonly provedBalance: string;
  /** Whether the page may make code out of text; its policy forbids that. */
  readonly canEvaluate: boolean;
  readonly hasNode: boolean;
}
