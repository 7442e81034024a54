import type { Console } from './console.js';

/** The environment of a command line. */
export interface CommandContext {
  readonly console: Console;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}
