import { createWriteStream, type WriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage } from '../base/errors.js';
import { CallsError } from './calls/call-line.js';

/** Destination for results, one per line. */
export interface LineSink {
  /** Resolves once the sink can take more. */
  write(line: string): Promise<void>;
}

/** What the lines of a file are: JSON objects that begin alike. */
interface LineForm<Position> {
  /** First characters of every line. */
  readonly beginning: string;
  /** Says that a line is none of these. */
  readonly foreign: string;
  /** The position that a line's members tell; undefined if they are not those of a line. */
  readonly position: (members: Readonly<Record<string, unknown>>) => Position | undefined;
}

const NEWLINE = 0x0a;
/** Number of bytes per read when scanning a file from its end. */
const TAIL_BYTES = 65_536;
/** Number of buffered characters that forces a write before the end of the event loop tick. */
const FLUSH_CHARACTERS = 256 * 1024;

/** A file of results that a later run can append to. */
export class LineFile<Position> implements LineSink {
  /** The position of the last complete line; undefined if there is none. */
  readonly last: Position | undefined;
  readonly #stream: WriteStream;
  #failure: Error | undefined;
  #buffered = '';

  private constructor(stream: WriteStream, last: Position | undefined) {
    this.#stream = stream;
    this.last = last;
    stream.on('error', (error) => {
      this.#failure = error;
    });
  }

  /**
   * Opens or creates the file and cuts off an incomplete last line.
   * @param resume append to existing results; otherwise the file must be empty
   * @throws CallsError; a file with other contents stays unchanged
   */
  static async open<Position>(
    path: string,
    form: LineForm<Position>,
    resume: boolean,
  ): Promise<LineFile<Position>> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'a+');
      if (!resume && (await file.stat()).size > 0) {
        throw new CallsError(
          'has_results',
          `${path} has results already; --resume continues it, another --out starts over`,
        );
      }
      const last = await continueLines(file, path, form);
      return new LineFile(createWriteStream(path, { flags: 'a' }), last);
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

/** Reads the last complete line of a file and cuts off a torn one after it. */
async function continueLines<Position>(
  handle: FileHandle,
  path: string,
  { beginning, foreign, position }: LineForm<Position>,
): Promise<Position | undefined> {
  const { size } = await handle.stat();
  const end = await lineStart(handle, size);
  const other = () => new CallsError('no_results', `${path}: its last line ${foreign}`);
  let last: Position | undefined;
  if (end > 0) {
    const line = await readPart(handle, await lineStart(handle, end - 1), end);
    last = position(membersOf(line.toString()));
    if (last === undefined) throw other();
  }
  if (end < size) {
    const torn = await readPart(handle, end, Math.min(size, end + beginning.length));
    if (!beginning.startsWith(torn.toString())) throw other();
    await handle.truncate(end);
  }
  return last;
}

/** The offset after the last newline before `before`; 0 if there is none. */
async function lineStart(handle: FileHandle, before: number): Promise<number> {
  for (let end = before; end > 0; ) {
    const start = Math.max(0, end - TAIL_BYTES);
    const newline = (await readPart(handle, start, end)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

async function readPart(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const part = Buffer.alloc(end - start);
  let read = 0;
  while (read < part.length) {
    const { bytesRead } = await handle.read(part, read, part.length - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return part.subarray(0, read);
}

/** The members of a JSON object; none for any other text. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
