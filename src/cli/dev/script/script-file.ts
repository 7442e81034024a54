/** A script's file. */
export interface ScriptFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the working directory, with `/` between folders; for records and messages. */
  readonly shown: string;
}
