/** A command's output streams and terminal size. */
export interface Console {
  /** Writes to standard output; the text includes its line ends. */
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
  /** The terminal's size now, in characters. */
  size(): { readonly columns: number; readonly rows: number };
}

export function processConsole(): Console {
  // A reader such as `head` may close the pipe early; that is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`heddle: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    // Some terminals report 0 for unknown.
    size: () => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }),
  };
}
