/** What {@link decodeModule} takes on. */
export interface ModuleLimits {
  /** The largest module, in bytes. */
  readonly codeBytes: number;
  /** The largest memory of one instance, in pages of 64 KiB. */
  readonly memoryPages: number;
  readonly tableEntries: number;
  readonly types: number;
  readonly functions: number;
  readonly globals: number;
  readonly exports: number;
  /** Data segments, and element segments. */
  readonly segments: number;
  /** Parameters of a type, and as many results. */
  readonly parameters: number;
  /** Whether types may be any: see `decode-types.ts`. */
  readonly anyTypes: boolean;
  /** Parameters and locals of one function. */
  readonly locals: number;
  /** Parameters and locals of all functions together. */
  readonly moduleLocals: number;
}
