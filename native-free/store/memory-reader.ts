import { closeSync, openSync } from 'node:fs';
import type { Column } from '../../src/storage/columns.js';
import type { Entry, ScanRange, StoreReader } from '../../src/storage/store.js';
import { describeCause, StoreError } from '../../src/storage/store-error.js';
import { CommittedWord, generationTag, unpackCommitted } from './committed.js';
import { damaged, FILE_HEADER_BYTES, type LogHeader } from './log-format.js';
import { LogReader, readHeader } from './log-reader.js';
import { MemoryColumns } from './memory-columns.js';

/** How often, a millisecond apart, a new file may be looked for before its absence is an error. */
const SWITCH_ATTEMPTS = 1000;

interface OpenLog {
  readonly fd: number;
  readonly header: LogHeader;
  readonly reader: LogReader;
}

/**
 * Another thread's view of a memory store: a copy of its contents, brought up to what is acknowledged before every read by
 * replaying what the log has gained.
 */
export class MemoryReader implements StoreReader {
  readonly #path: string;
  readonly #committed: CommittedWord;
  #columns = new MemoryColumns();
  #log: OpenLog | undefined;
  #seen: bigint | undefined;

  /** @throws {StoreError} when the log cannot be read. */
  constructor(path: string, committed: SharedArrayBuffer) {
    this.#path = path;
    this.#committed = new CommittedWord(committed);
    this.#log = openLog(path);
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
    if (this.#log === undefined) return;
    closeSync(this.#log.fd);
    this.#log = undefined;
    this.#columns = new MemoryColumns();
  }

  #catchUp(): MemoryColumns {
    if (this.#log === undefined) throw new StoreError('closed', 'the store reader was closed');
    const word = this.#committed.load();
    if (word === this.#seen) return this.#columns;
    this.#advance(this.#log);
    return this.#columns;
  }

  #advance(log: OpenLog): void {
    let current = log;
    for (let attempt = 0; attempt < SWITCH_ATTEMPTS; attempt++) {
      const word = this.#committed.load();
      const target = unpackCommitted(word);
      if (generationTag(current.header.generation) === target.generationTag) {
        this.#replay(current, target.length);
        this.#seen = word;
        return;
      }
      const next = openLog(this.#path);
      if (generationTag(next.header.generation) !== target.generationTag) {
        // The writer stands between renaming the file and publishing it, or has gone on in the meantime.
        closeSync(next.fd);
        this.#committed.waitWhile(word, 1);
        continue;
      }
      current = this.#replaceWith(next, current);
    }
    throw new StoreError('read_failed', `${this.#path} never became the log that its writer announced`);
  }

  /** Goes on in the file that compaction put in place of the present one (rule 3 of log-format.ts). */
  #replaceWith(next: OpenLog, current: OpenLog): OpenLog {
    let entered = next;
    if (next.header.generation === current.header.generation + 1) {
      this.#replay(current, next.header.previousLength);
      entered = { ...next, reader: new LogReader(next.fd, next.header.salt, next.header.snapshotEnd) };
    } else {
      this.#columns = new MemoryColumns();
    }
    this.#log = entered;
    closeSync(current.fd);
    return entered;
  }

  #replay(log: OpenLog, length: number): void {
    const { reader } = log;
    for (;;) {
      const record = reader.next(length);
      if (record.type === 'end') return;
      if (record.type === 'unsound') throw damaged(this.#path, reader.offset, record.why);
      this.#columns.apply(record.payload);
    }
  }
}

function openLog(path: string): OpenLog {
  try {
    const fd = openSync(path, 'r');
    const header = readHeader(fd, path);
    return { fd, header, reader: new LogReader(fd, header.salt, FILE_HEADER_BYTES) };
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('open_failed', `cannot read the store log ${path}: ${describeCause(cause)}`, {
      cause,
    });
  }
}
