import type { Console } from './console.js';

/** What a command line runs in. */
export interface CommandContext {
  readonly console: Console;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}
