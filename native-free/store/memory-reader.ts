import type { Column } from '../../src/storage/columns.js';
import type { Entry, ScanRange, StoreReader } from '../../src/storage/store.js';
import { StoreError } from '../../src/storage/store-error.js';
import { CommittedWord, generationTag, unpackCommitted } from './committed.js';
import { damaged } from './log-format.js';
import { LogReader } from './log-reader.js';
import { MemoryColumns } from './memory-columns.js';

/** Attempts, a millisecond apart, to open the file that the writer announced. */
const SWITCH_ATTEMPTS = 1000;

/** Another thread's copy of a memory store. Every read first replays what was committed since the previous one. */
export class MemoryReader implements StoreReader {
  readonly #path: string;
  readonly #committed: CommittedWord;
  #columns = new MemoryColumns();
  #log: LogReader | undefined;
  #seen: bigint | undefined;

  /** @throws {StoreError} if the log cannot be read. */
  constructor(path: string, committed: SharedArrayBuffer) {
    this.#path = path;
    this.#committed = new CommittedWord(committed);
    this.#log = new LogReader(path);
    this.#catchUp();
  }

  get(column: Column, key: Uint8Array): Uint8Array | undefined {
    return this.#catchUp().column(column).get(key);
  }

  getMany(column: Column, keys: readonly Uint8Array[]): (Uint8Array | undefined)[] {
    const contents = this.#catchUp().column(column);
    return keys.map((key) => contents.get(key));
  }

  *scan(column: Column, range: ScanRange): IterableIterator<Entry> {
    yield* this.#catchUp().column(column).scan(range);
  }

  async close(): Promise<void> {
    this.#log?.close();
    this.#log = undefined;
    this.#columns = new MemoryColumns();
  }

  #catchUp(): MemoryColumns {
    if (this.#log === undefined) throw new StoreError('closed', 'the store reader was closed');
    if (this.#committed.load() !== this.#seen) this.#advance(this.#log);
    return this.#columns;
  }

  #advance(log: LogReader): void {
    let current = log;
    for (let attempt = 0; attempt < SWITCH_ATTEMPTS; attempt++) {
      const word = this.#committed.load();
      const target = unpackCommitted(word);
      if (generationTag(current.header.generation) === target.generationTag) {
        this.#replay(current, target.length);
        this.#seen = word;
        return;
      }
      const next = new LogReader(this.#path);
      if (generationTag(next.header.generation) === target.generationTag) {
        current = this.#switchTo(next, current);
      } else {
        // The writer is between the rename and the announcement of a file.
        next.close();
        this.#committed.waitWhile(word, 1);
      }
    }
    throw new StoreError('read_failed', `${this.#path} never became the log that its writer announced`);
  }

  /** Continues in a rewritten file (rule 3 of log-format.ts). */
  #switchTo(next: LogReader, current: LogReader): LogReader {
    if (next.header.generation === current.header.generation + 1) {
      this.#replay(current, next.header.previousLength);
      next.skipSnapshot();
    } else {
      this.#columns = new MemoryColumns();
    }
    this.#log = next;
    current.close();
    return next;
  }

  #replay(log: LogReader, length: number): void {
    const why = log.replay(this.#columns, length);
    if (why !== undefined) throw damaged(this.#path, log.offset, why);
  }
}
