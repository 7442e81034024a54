import { sameBytes } from '../../base/same-bytes.js';
import { toHex } from '../../idl/hex.js';
import { lied } from './follow-error.js';
import { Source, type SourceOptions } from './source.js';
import { SourceSet, type SourceSetOptions } from './source-set.js';

export interface OpenSourcesOptions
  extends Omit<SourceOptions, 'url' | 'index'>,
    Pick<SourceSetOptions, 'pollMs' | 'onFailure'> {
  readonly urls: readonly string[];
  /** Trusted key, 48 bytes: a source with another key is on another chain. */
  readonly groupPublicKey: Uint8Array;
  /** Chain id, if known. */
  readonly chainId: bigint | undefined;
}

/** Creates the set of configured sources, without starting it. */
export function openSources(options: OpenSourcesOptions): SourceSet {
  const { urls, pollMs, groupPublicKey, chainId, log, now, random, onFailure } = options;
  return new SourceSet({
    sources: urls.map((url, index) => new Source({ url, index, log, now, random })),
    pollMs,
    onFailure,
    checkHead: (head) => {
      const { group_public_key: key } = head.validator_set;
      if (!sameBytes(key, groupPublicKey)) {
        throw lied(`expected the trusted group key ${toHex(groupPublicKey)}, got ${toHex(key)}`);
      }
      if (chainId !== undefined && head.chain_id !== chainId) {
        throw lied(`expected chain id ${chainId}, got ${head.chain_id}`);
      }
    },
  });
}
