/** The queries of `heddle light`, for its help and its prompt. */
export const QUERIES = ['balance ADDRESS', 'slot CONTRACT SLOT', 'tx HASH'] as const;
