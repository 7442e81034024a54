import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CandidateHashHex } from '../../ledger/hex-types.js';
import type { OpenedMarker } from './execution-marker.js';

/** The case against a candidate. */
interface Suspect {
  /** Times that its own progress pins on it: the process or a worker ended, or something was thrown, in the middle of it. */
  readonly strikes: number;
  /** Whether it ran alone since the last, and nothing happened. */
  readonly cleared: boolean;
  /** When this was last so, milliseconds since 1970. */
  readonly since: number;
}

/** How a candidate may be executed. */
export type TrustLevel =
  /** With others. */
  | 'trusted'
  /** With others, while workers note which candidate they are at. */
  | 'watched'
  /** Not in a block before it ran alone. */
  | 'suspected'
  /** In a block of its own: it has two strikes and ran well alone since. */
  | 'apart'
  /** Not before this expires. */
  | 'out';

const FILE = 'execution.faults';
/** The oldest are forgotten first. */
const MAX_BANNED = 16_384;
const MAX_SUSPECTS = 65_536;
/** Characters of the reason that is kept. */
const MAX_REASON = 512;

/** Strikes that put a candidate out. */
const MAX_STRIKES = 3;
/** How long a strike counts, and how long a candidate is out; milliseconds. */
const SUSPECT_MS = 3_600_000;
const BAN_MS = 86_400_000;

const RECORD = v.object({
  suspects: v.record(v.string(), v.object({ strikes: v.number(), cleared: v.boolean(), since: v.number() })),
  out: v.record(v.string(), v.object({ message: v.string(), since: v.number() })),
});

/**
 * Which candidates were at fault, `<data-dir>/execution.faults`. A process that ends says nothing of what it executed: it may
 * have been killed. So candidates that were under way are only watched in the next process. A candidate has a strike if a
 * process or a worker ended in the middle of it while it was watched, or execution named it; it then runs alone before it is in
 * a block again, and with three strikes it is out. All of it expires. Names are the hashes of transactions and bundles, 64
 * lowercase hex digits.
 */
export class FaultRecord {
  readonly #path: string;
  readonly #suspects = new Map<CandidateHashHex, Suspect>();
  /** What to say of those that are out. */
  readonly #banned = new Map<CandidateHashHex, { readonly message: string; readonly since: number }>();
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;

  private constructor(path: string, onError: (error: unknown) => void, now: () => number) {
    this.#path = path;
    this.#onError = onError;
    this.#now = now;
  }

  /**
   * Opens the record of a data directory, and takes in the candidates under way when the last process ended.
   * @param onError told where the file cannot be read or written: the record then is this process's alone
   * @param now milliseconds since 1970
   */
  static open(
    dataDir: string,
    { marker, interrupted }: OpenedMarker,
    onError: (error: unknown) => void,
    now: () => number = Date.now,
  ): FaultRecord {
    const record = new FaultRecord(join(dataDir, FILE), onError, now);
    record.#read();
    for (const { names, running } of interrupted) {
      for (const name of names) record.#watch(name);
      for (const name of running)
        record.#strike(name, 'the node ended three times while it was being executed');
    }
    if (interrupted.length > 0) record.#write();
    // Only now: a process that starts after a crash in between takes it in as well.
    marker.end('block');
    marker.end('predicted');
    return record;
  }

  trustLevel(name: CandidateHashHex): TrustLevel {
    if (this.isEmpty) return 'trusted';
    if (this.rejectionReason(name) !== undefined) return 'out';
    const suspect = this.#suspects.get(name);
    if (suspect === undefined) return 'trusted';
    if (this.#hasElapsed(suspect.since, SUSPECT_MS)) {
      this.#suspects.delete(name);
      return 'trusted';
    }
    if (!suspect.cleared) return 'suspected';
    return suspect.strikes > 1 ? 'apart' : 'watched';
  }

  /** Whether nothing is held against any candidate. */
  get isEmpty(): boolean {
    return this.#suspects.size === 0 && this.#banned.size === 0;
  }

  /** Why a candidate is out, and how long; undefined if it is not. */
  rejectionReason(name: CandidateHashHex): string | undefined {
    const out = this.#banned.get(name);
    if (out === undefined) return undefined;
    if (!this.#hasElapsed(out.since, BAN_MS)) {
      return `${out.message}; it may be sent again after ${new Date(out.since + BAN_MS).toISOString()}`;
    }
    this.#banned.delete(name);
    return undefined;
  }

  /** Those with this standing, the longest suspected first. */
  *named(trustLevel: 'watched' | 'suspected' | 'apart'): IterableIterator<CandidateHashHex> {
    for (const name of [...this.#suspects.keys()]) if (this.trustLevel(name) === trustLevel) yield name;
  }

  /**
   * Execution named a candidate.
   * @returns its new standing
   */
  recordFault(name: CandidateHashHex, message: string): 'suspected' | 'out' {
    this.#strike(name, `executing it failed three times: ${message}`);
    this.#write();
    return this.#banned.has(name) ? 'out' : 'suspected';
  }

  /** They ran alone, and nothing happened. */
  clear(names: readonly CandidateHashHex[]): void {
    for (const name of names) {
      const suspect = this.#suspects.get(name);
      if (suspect !== undefined) this.#suspects.set(name, { ...suspect, cleared: true });
    }
    if (names.length > 0) this.#write();
  }

  /** Lets others of the same standing go first the next time. */
  postpone(name: CandidateHashHex): void {
    const suspect = this.#suspects.get(name);
    if (suspect === undefined) return;
    this.#suspects.delete(name);
    this.#suspects.set(name, suspect);
  }

  /** They are in a block, or have left the pool. Written with the next change. */
  forget(name: CandidateHashHex): void {
    this.#suspects.delete(name);
  }

  #watch(name: CandidateHashHex): void {
    if (this.trustLevel(name) === 'trusted')
      this.#suspect(name, { strikes: 0, cleared: true, since: this.#now() });
  }

  #strike(name: CandidateHashHex, message: string): void {
    const before = this.trustLevel(name) === 'trusted' ? 0 : (this.#suspects.get(name)?.strikes ?? 0);
    const strikes = before + 1;
    const since = this.#now();
    if (strikes >= MAX_STRIKES) this.#ban(name, message, since);
    else this.#suspect(name, { strikes, cleared: false, since });
  }

  /** Whether a time is at least `ms` away: a clock that went far back ends a term too. */
  #hasElapsed(since: number, ms: number): boolean {
    return Math.abs(this.#now() - since) > ms;
  }

  #suspect(name: CandidateHashHex, suspect: Suspect): void {
    // The others of the same standing go first.
    this.#suspects.delete(name);
    this.#suspects.set(name, suspect);
    if (this.#suspects.size > MAX_SUSPECTS) dropOldest(this.#suspects);
  }

  #ban(name: CandidateHashHex, message: string, since: number): void {
    this.#suspects.delete(name);
    this.#banned.set(name, { message: message.slice(0, MAX_REASON), since });
    if (this.#banned.size > MAX_BANNED) dropOldest(this.#banned);
  }

  #read(): void {
    try {
      const { suspects, out } = v.parse(RECORD, JSON.parse(readFileSync(this.#path, 'utf8')));
      for (const [name, suspect] of Object.entries(suspects))
        this.#suspects.set(name as CandidateHashHex, suspect);
      for (const [name, entry] of Object.entries(out)) this.#banned.set(name as CandidateHashHex, entry);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) this.#onError(error);
    }
  }

  #write(): void {
    const text = JSON.stringify({
      suspects: Object.fromEntries(this.#suspects),
      out: Object.fromEntries(this.#banned),
    });
    try {
      writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.#onError(error);
    }
  }
}

function dropOldest<Name>(map: Map<Name, unknown>): void {
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
