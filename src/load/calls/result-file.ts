import { createWriteStream, type WriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.js';
import { CallsError } from './calls-error.js';

/** Destination for results, one per line. */
export interface ResultSink {
  /** Resolves once the sink can take more. */
  write(line: string): Promise<void>;
}

const NEWLINE = 0x0a;
/** Prefix of every line. */
const BEGINNING = '{"line":';
/** Number of buffered characters that forces a write before the end of the event loop tick. */
const FLUSH_CHARACTERS = 256 * 1024;
/** Number of bytes per read when scanning a file from its end. */
const TAIL_BYTES = 65_536;

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
      const { size } = await file.stat();
      if (size > 0 && !resume) {
        throw new CallsError(
          'has_results',
          `${path} has results already; --resume goes on with it, another --out begins anew`,
        );
      }
      const end = await endOfLastLine(file, size);
      const last = end === 0 ? undefined : await lastLineBefore(file, end);
      const lastLine = last === undefined ? 0 : lineNumberOf(last, path);
      // The file is truncated only after this check, so a file of another kind stays untouched.
      if (end < size) {
        const torn = await readPart(file, end, Math.min(size, end + BEGINNING.length));
        if (!BEGINNING.startsWith(torn.toString())) throw foreign(path);
        await file.truncate(end);
      }
      return new ResultFile(createWriteStream(path, { flags: 'a' }), lastLine);
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
    // All lines of one event loop tick are one write.
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

/** Offset after the last newline; 0 if there is none. */
async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES);
    const part = await readPart(file, start, end);
    const newline = part.lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

/** Returns the line whose newline is the byte before `end`. */
async function lastLineBefore(file: FileHandle, end: number): Promise<string> {
  const parts: Buffer[] = [];
  let to = end - 1;
  while (to > 0) {
    const start = Math.max(0, to - TAIL_BYTES);
    const part = await readPart(file, start, to);
    const newline = part.lastIndexOf(NEWLINE);
    parts.unshift(newline >= 0 ? part.subarray(newline + 1) : part);
    if (newline >= 0) break;
    to = start;
  }
  return Buffer.concat(parts).toString();
}

async function readPart(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const part = Buffer.alloc(end - start);
  let read = 0;
  while (read < part.length) {
    const { bytesRead } = await file.read(part, read, part.length - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return part.subarray(0, read);
}

function lineNumberOf(text: string, path: string): number {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'line' in value) {
      const { line } = value;
      if (typeof line === 'number' && Number.isSafeInteger(line) && line > 0) return line;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw foreign(path);
}

function foreign(path: string): CallsError {
  return new CallsError(
    'no_results',
    `${path}: its last line is no result of an earlier run, so there is nothing to go on with`,
  );
}
