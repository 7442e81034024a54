import { shownText } from '../base/shown-text.js';

export interface Streams {
  /** Writes to standard output; the text includes its line ends. */
  out(text: string): void;
  err(text: string): void;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  /** The terminal's size now, in characters. */
  size(): { readonly columns: number; readonly rows: number };
}

/** A command's output streams and terminal size. Text with control characters is escaped: nodes and contracts write it. */
export interface Console extends Streams {
  /** Writes to standard output as it is, such as what moves the cursor. */
  control(sequence: string): void;
}

export function consoleOn(streams: Streams): Console {
  return {
    out: (text) => streams.out(shownText(text)),
    err: (text) => streams.err(shownText(text)),
    control: (sequence) => streams.out(sequence),
    isTerminal: streams.isTerminal,
    size: () => streams.size(),
  };
}

export function processConsole(): Console {
  // A reader such as `head` may close the pipe early; that is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`heddle: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  return consoleOn({
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    // Some terminals report 0 for unknown.
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
  });
}
