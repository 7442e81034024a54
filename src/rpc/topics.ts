export const TOPICS = ['new_blocks', 'finalized_blocks', 'pending_txs', 'logs'] as const;

/** What a subscription reports. */
export type Topic = (typeof TOPICS)[number];
