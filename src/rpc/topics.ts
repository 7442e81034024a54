export const TOPICS = ['new_blocks', 'finalized_blocks', 'pending_txs', 'logs'] as const;

/** The topic of a subscription. */
export type Topic = (typeof TOPICS)[number];
