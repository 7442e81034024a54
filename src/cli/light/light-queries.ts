/** What `heddle light` answers, as its help and its prompt say it. */
export const QUERIES = ['balance ADDRESS', 'slot CONTRACT SLOT', 'tx HASH'] as const;
