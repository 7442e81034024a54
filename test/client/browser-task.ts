import type { Surroundings } from '../support/pages/page-verdict.js';

/** Input of the page. */
export interface ClientTask {
  readonly url: string;
  /** A token on the node's chain, with its interface. */
  readonly token: string;
}

/** Findings of the page. */
export interface ClientVerdict extends Surroundings {
  readonly chainId: string;
  readonly transfer: string;
  readonly call: string;
  readonly event: unknown;
  readonly balance: unknown;
  readonly provedBalance: string;
}
