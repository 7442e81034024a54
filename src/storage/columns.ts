/** The store's columns: separate key spaces that one batch can write atomically. */
export const COLUMNS = [
  'meta',
  'blocks',
  'bodies',
  'block_hashes',
  'transactions',
  'receipts',
  'by_sender',
  'state',
  'history',
  'changes',
  'tree',
  'mmr',
  'code',
  'idl',
  'prepared',
  'by_contract',
  'logs',
  'by_recipient',
  'by_holder',
  'by_name',
  'certificates',
  'checkpoints',
  'consensus',
] as const;

export type Column = (typeof COLUMNS)[number];
