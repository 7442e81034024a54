import type { Surroundings } from '../../support/page-verdict.js';

/** What the page is handed: answers of a real node, and what they are about. */
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

/** What the page found. */
export interface BrowserVerdict extends Surroundings {
  readonly balance: string;
  readonly outcome: string;
  /** The first two bytes of the hash of nothing. */
  readonly sha256: readonly number[];
  /** The changed answers that were taken for true. */
  readonly believed: readonly string[];
  readonly tried: number;
}
