import type { Surroundings } from '../../support/pages/page-verdict.js';

/** Input of the page: answers of a real node, and the queries that they answer. */
export interface BrowserTask {
  readonly trust: { readonly groupPublicKey: string };
  readonly address: string;
  readonly account: unknown;
  readonly txHash: string;
  readonly receipt: unknown;
  readonly finalized: unknown;
  readonly history: unknown;
  readonly historyHeight: number;
}

/** Findings of the page. */
export interface BrowserVerdict extends Surroundings {
  readonly balance: string;
  readonly outcome: string;
  /** The first two bytes of the hash of the empty string. */
  readonly sha256: readonly number[];
  /** The changed answers that were believed. */
  readonly believed: readonly string[];
  readonly tried: number;
}
