/** Limits enforced by {@link decodeModule}. */
export interface ModuleLimits {
  /** Maximum module size in bytes. */
  readonly codeBytes: number;
  /** Maximum memory of one instance, in pages of 64 KiB. */
  readonly memoryPages: number;
  readonly tableEntries: number;
  readonly types: number;
  readonly functions: number;
  readonly globals: number;
  readonly exports: number;
  /** Maximum number of data segments; also of element segments. */
  readonly segments: number;
  /** Maximum number of parameters of a type; also of results. */
  readonly parameters: number;
  /** Whether any function type is allowed: see `decode-types.ts`. */
  readonly anyTypes: boolean;
  /** Maximum parameters and locals of one function. */
  readonly locals: number;
  /** Maximum parameters and locals of all functions together. */
  readonly moduleLocals: number;
}
