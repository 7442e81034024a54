import type { Console } from './console.js';

export interface CommandContext {
  readonly console: Console;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
}
