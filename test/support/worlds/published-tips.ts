import type { PublishedTip } from '../../../src/chain/published-tip.js';

/** A tip whose every part depends on its height, including its length. */
export function publishedOf(height: number): PublishedTip {
  const word = (length: number) => new Uint8Array(length).fill(height % 251);
  const at = BigInt(height);
  return {
    tip: {
      header: {
        chain_id: 1n,
        height: at,
        parent_hash: word(32),
        epoch: 0n,
        view: at,
        timestamp_ms: at,
        proposer: 0,
        transactions_root: word(32),
        receipts_root: word(32),
        state_root: word(32),
        history_root: word(32),
        validators_hash: word(32),
        gas_used: at,
        gas_limit: at,
        base_fee: at,
        seal_excess: at,
        extra: word(height % 32),
      },
      hash: word(32),
      epochs: {
        parameters: { epoch_length: at, ceremony: height % 2 === 0 },
        validators: { epoch: at, quorum: 1, group_public_key: word(48), validators: [] },
      },
      slots: height % 17,
    },
    checkpoint: height % 2 === 0 ? undefined : { height: at, state_root: word(32) },
    following: height % 3 === 0 ? undefined : { bestKnownHeight: at, blockTimeMs: height },
  };
}
