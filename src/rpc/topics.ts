export const TOPICS = ['new_blocks', 'finalized_blocks', 'pending_txs', 'logs'] as const;

export type Topic = (typeof TOPICS)[number];
