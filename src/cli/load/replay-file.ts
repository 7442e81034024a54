import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import { errorMessage } from '../../base/errors.js';
import { continueLines } from '../../load/last-line.js';
import { CliError } from '../cli-error.js';

/** The chain position of a file's last complete line. */
export interface ReplayPosition {
  readonly height: bigint;
  readonly index: number;
}

/** Number of gathered characters above which `append` waits. */
const MAX_GATHERED = 1024 * 1024;

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
      throw new CliError(`--out: cannot write ${path}: ${errorMessage(error)}`, { cause: error });
    });
    try {
      const last = await continueLines(
        handle,
        { beginning: '{"height":', foreign: () => foreign(path) },
        ({ height, index }) =>
          typeof height === 'number' &&
          typeof index === 'number' &&
          Number.isSafeInteger(height) &&
          Number.isSafeInteger(index)
            ? { height: BigInt(height), index }
            : undefined,
      );
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
    if (this.#gathered.length > MAX_GATHERED) await this.#writing;
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
      this.#failure ??= new CliError(`--out: cannot write: ${why}`, { cause: error });
    }
    this.#writing = undefined;
  }
}

function foreign(path: string): CliError {
  return new CliError(`${path}: its last line is not a trace of "heddle replay"; name another file`);
}
