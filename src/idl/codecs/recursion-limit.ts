/** Levels of a recursive type that codecs follow: far beyond real use, far below what the stack holds. */
export const MAX_RECURSION = 128;
