import { createWriteStream, type WriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.js';
import { continueLines } from '../last-line.js';
import { CallsError } from './call-line.js';

/** Destination for results, one per line. */
export interface ResultSink {
  /** Resolves once the sink can take more. */
  write(line: string): Promise<void>;
}

/** Number of buffered characters that forces a write before the end of the event loop tick. */
const FLUSH_CHARACTERS = 256 * 1024;

/** A file of results that a later run can append to. */
export class ResultFile implements ResultSink {
  /** Line number of the call whose result was written last; 0 if there is none. */
  readonly lastLine: number;
  readonly #stream: WriteStream;
  #failure: Error | undefined;
  #buffered = '';

  private constructor(stream: WriteStream, lastLine: number) {
    this.#stream = stream;
    this.lastLine = lastLine;
    stream.on('error', (error) => {
      this.#failure = error;
    });
  }

  /**
   * Opens or creates the file and truncates an incomplete last line.
   * @param resume append to existing results; otherwise the file must be empty
   * @throws CallsError
   */
  static async open(path: string, resume: boolean): Promise<ResultFile> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'a+');
      if (!resume && (await file.stat()).size > 0) {
        throw new CallsError(
          'has_results',
          `${path} has results already; --resume goes on with it, another --out begins anew`,
        );
      }
      const lastLine = await continueLines(
        file,
        { beginning: '{"line":', foreign: () => foreign(path) },
        ({ line }) => (typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : undefined),
      );
      return new ResultFile(createWriteStream(path, { flags: 'a' }), lastLine ?? 0);
    } catch (error) {
      if (error instanceof CallsError) throw error;
      throw new CallsError('unwritable', `cannot open ${path}: ${errorMessage(error)}`, { cause: error });
    } finally {
      await file?.close();
    }
  }

  /** @throws CallsError if the file cannot be written */
  async write(line: string): Promise<void> {
    this.#check();
    // Writes all lines of one event loop tick at once.
    if (this.#buffered === '') setImmediate(() => this.#flush());
    this.#buffered += `${line}\n`;
    if (this.#buffered.length < FLUSH_CHARACTERS || this.#flush()) return;
    await drained(this.#stream);
    this.#check();
  }

  /** @throws CallsError if some results could not be written */
  async close(): Promise<void> {
    this.#flush();
    if (!this.#stream.destroyed) await new Promise<void>((resolve) => this.#stream.end(() => resolve()));
    this.#check();
  }

  /** @returns false if the stream is applying backpressure */
  #flush(): boolean {
    const gathered = this.#buffered;
    this.#buffered = '';
    return gathered === '' || this.#stream.destroyed || this.#stream.write(gathered);
  }

  #check(): void {
    if (this.#failure === undefined) return;
    const { message } = this.#failure;
    throw new CallsError('unwritable', `cannot write ${String(this.#stream.path)}: ${message}`, {
      cause: this.#failure,
    });
  }
}

/** Resolves when the stream has drained or is closed. */
function drained(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
    if (stream.destroyed) done();
  });
}

function foreign(path: string): CallsError {
  return new CallsError(
    'no_results',
    `${path}: its last line is no result of an earlier run, so there is nothing to go on with`,
  );
}
