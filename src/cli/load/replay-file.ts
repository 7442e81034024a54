import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import { errorMessage } from '../../base/errors.js';
import { CliError } from '../cli-error.js';

/** The chain position of a file's last complete line. */
export interface ReplayPosition {
  readonly height: bigint;
  readonly index: number;
}

const NEWLINE = 0x0a;
const CHUNK = 1024 * 1024;
/** First characters of every line. */
const BEGINNING = '{"height":';

/**
 * A file of traces, one line of JSON per transaction in chain order. An existing file is continued after its last
 * complete line; a torn line is cut off.
 */
export class ReplayFile {
  readonly #handle: FileHandle;
  #gathered = '';
  #writing: Promise<void> | undefined;
  #failure: CliError | undefined;
  /** The last transaction in the file, if any. */
  readonly last: ReplayPosition | undefined;

  private constructor(handle: FileHandle, last: ReplayPosition | undefined) {
    this.#handle = handle;
    this.last = last;
  }

  /** @throws CliError if the file cannot be opened, or if its last line is not a replay's */
  static async open(path: string): Promise<ReplayFile> {
    const handle = await open(path, 'a+').catch((error: unknown) => {
      const why = errorMessage(error);
      throw new CliError('failure', `--out: cannot write ${path}: ${why}`, { cause: error });
    });
    try {
      const { size } = await handle.stat();
      const end = await lineEndBefore(handle, size);
      const start = end === 0 ? 0 : await lineEndBefore(handle, end - 1);
      const last = end === 0 ? undefined : placeOf(await text(handle, start, end), path);
      // Checked before cutting: a file with other contents stays unchanged.
      if (end < size) {
        const torn = await text(handle, end, Math.min(size, end + BEGINNING.length));
        if (!BEGINNING.startsWith(torn)) throw foreign(path);
        await handle.truncate(end);
      }
      return new ReplayFile(handle, last);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Appends a line. Lines of one tick share a write; waits while the backlog is long.
   * @throws CliError if writing fails
   */
  async append(line: string): Promise<void> {
    this.#gathered += `${line}\n`;
    this.#writing ??= this.#write();
    if (this.#gathered.length > CHUNK) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** @throws CliError if not everything could be written */
  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Never rejects. */
  async #write(): Promise<void> {
    try {
      await nextTick();
      while (this.#gathered !== '') {
        const gathered = this.#gathered;
        this.#gathered = '';
        await this.#handle.appendFile(gathered);
      }
    } catch (error) {
      const why = errorMessage(error);
      this.#failure ??= new CliError('failure', `--out: cannot write: ${why}`, { cause: error });
    }
    this.#writing = undefined;
  }
}

/** The offset after the last line break at or before `before`, or 0. */
async function lineEndBefore(handle: FileHandle, before: number): Promise<number> {
  const chunk = Buffer.alloc(CHUNK);
  for (let end = before; end > 0; ) {
    const start = Math.max(0, end - CHUNK);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    const found = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (found !== -1) return start + found + 1;
    end = start;
  }
  return 0;
}

function placeOf(line: string, path: string): ReplayPosition {
  const parsed = parse(line);
  const { height, index } = parsed;
  if (typeof height !== 'number' || typeof index !== 'number') {
    throw foreign(path);
  }
  return { height: BigInt(height), index };
}

async function text(handle: FileHandle, start: number, end: number): Promise<string> {
  const bytes = Buffer.alloc(end - start);
  await handle.read(bytes, 0, bytes.length, start);
  return bytes.toString();
}

function foreign(path: string): CliError {
  return new CliError(
    'failure',
    `${path}: its last line is not a trace of "heddle replay"; name another file`,
  );
}

function parse(line: string): { readonly height?: unknown; readonly index?: unknown } {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
