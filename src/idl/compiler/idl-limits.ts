/**
 * Bounds of interface definitions. Anyone can deploy a contract with a text, so no text may cause much work. The table in
 * docs/idl.md has these comments.
 */
export const IDL_LIMITS = Object.freeze({
  /** Top-level declarations of files compiled together. */
  declarations: 1_000,
  /** Characters of a top-level name, which signatures repeat. */
  nameLength: 128,
  /** Variants of an enum, whose index is one byte. */
  variants: 256,
  /** `[]` and `?` on one type. */
  typeNesting: 8,
  /** Levels of lists and options in an alias and those that it leads to: each use follows all of them. */
  aliasNesting: 32,
  /** Levels of structs, enums, lists and options in a type that does not contain itself: codecs follow them without counting. */
  depth: 100,
  /** Mistakes reported in one run. */
  diagnostics: 100,
  /** Mistakes shown in the message of an error: later ones often follow from the first. */
  shownDiagnostics: 20,
});
