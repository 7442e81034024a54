import { Buffer } from 'node:buffer';
import type { Log } from '../../config/log.js';
import { toHex } from '../../idl/hex.js';
import { lied } from './follow-error.js';
import { Source } from './source.js';
import { SourceSet } from './source-set.js';

export interface OpenSourcesOptions {
  readonly urls: readonly string[];
  /** How often the best source is asked for its tip, in milliseconds. */
  readonly pollMs: number;
  /** The key that is trusted, 48 bytes: a source with other validators is on another chain. */
  readonly groupPublicKey: Uint8Array;
  /** The chain's id, where it is known. */
  readonly chainId: bigint | undefined;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 ≤ value < 1, for the jitter of pauses. */
  readonly random: () => number;
  readonly onFailure: (error: Error) => void;
}

/** The sources that an operator named; asking them has not begun. */
export function openSources(options: OpenSourcesOptions): SourceSet {
  const { urls, pollMs, groupPublicKey, chainId, log, now, random, onFailure } = options;
  return new SourceSet({
    sources: urls.map((url, index) => new Source({ url, index, log, now, random })),
    pollMs,
    onFailure,
    checkHead: (head) => {
      const { group_public_key: key } = head.validator_set;
      if (Buffer.compare(key, groupPublicKey) !== 0) {
        throw lied(`its validators' key is ${toHex(key)}, the trusted one is ${toHex(groupPublicKey)}`);
      }
      if (chainId !== undefined && head.chain_id !== chainId) {
        throw lied(`it is on chain ${head.chain_id}, not on chain ${chainId}`);
      }
    },
  });
}
