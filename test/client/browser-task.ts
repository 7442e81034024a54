import type { Surroundings } from '../support/page-verdict.js';

/** What the page is handed. */
export interface ClientTask {
  readonly url: string;
  /** A token on the chain of the node; its interface is there too. */
  readonly token: string;
}

/** What the page found. */
export interface ClientVerdict extends Surroundings {
  readonly chainId: string;
  readonly transfer: string;
  readonly call: string;
  readonly event: unknown;
  readonly balance: unknown;
  readonly provedBalance: string;
}
