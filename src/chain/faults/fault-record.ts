import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { hasCode } from '../../base/errors.js';
import type { CandidateHashHex } from '../../ledger/hex-types.js';
import type { OpenedMarker } from './execution-marker.js';

interface Suspect {
  /** Failures attributed to the candidate: while it ran, a process or worker ended or an error was thrown. */
  readonly strikes: number;
  /** True if the candidate has run alone without failure since the last strike. */
  readonly cleared: boolean;
  /** Time of the last strike, in milliseconds since 1970. */
  readonly since: number;
}

export type TrustLevel =
  /** Executed with others. */
  | 'trusted'
  /** Executed with others, while workers record their progress. */
  | 'watched'
  /** Must run alone before it can be in a block. */
  | 'suspected'
  /** Gets a separate block: it has two strikes, and has run alone without failure since. */
  | 'apart'
  /** Banned until the ban expires. */
  | 'out';

const FILE = 'execution.faults';
/** Maximum number of bans; beyond it, the oldest are forgotten. */
const MAX_BANNED = 16_384;
const MAX_SUSPECTS = 65_536;
/** Maximum length of a stored reason, in characters. */
const MAX_REASON = 512;

const MAX_STRIKES = 3;
/** Lifetimes of a strike and of a ban, in milliseconds. */
const SUSPECT_MS = 3_600_000;
const BAN_MS = 86_400_000;

const RECORD = v.object({
  suspects: v.record(v.string(), v.object({ strikes: v.number(), cleared: v.boolean(), since: v.number() })),
  out: v.record(v.string(), v.object({ message: v.string(), since: v.number() })),
});

/**
 * Record of faulty candidates, `<data-dir>/execution.faults`. The end of a process does not prove a fault: it may have
 * been killed. Candidates that were running are therefore only watched in the next process. A candidate gets a strike
 * if a process or worker ended while executing it under watch, or if execution named it. It must then run alone before
 * it can be in a block again, and is banned after three strikes. All entries expire. Names are hashes of transactions
 * and bundles, 64 lowercase hex digits.
 */
export class FaultRecord {
  readonly #path: string;
  readonly #suspects = new Map<CandidateHashHex, Suspect>();
  /** Banned candidates, with the reason. */
  readonly #banned = new Map<CandidateHashHex, { readonly message: string; readonly since: number }>();
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;

  private constructor(path: string, onError: (error: unknown) => void, now: () => number) {
    this.#path = path;
    this.#onError = onError;
    this.#now = now;
  }

  /**
   * Opens the record of a data directory, and adds the candidates that were running when the previous process ended.
   * @param onError called if the file cannot be read or written; the record is then kept in memory only
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
    // Cleared only after writing: if this process crashes before, the next one reads the marks again.
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

  get isEmpty(): boolean {
    return this.#suspects.size === 0 && this.#banned.size === 0;
  }

  /** Why a candidate is banned, and until when; undefined if it is not. */
  rejectionReason(name: CandidateHashHex): string | undefined {
    const out = this.#banned.get(name);
    if (out === undefined) return undefined;
    if (!this.#hasElapsed(out.since, BAN_MS)) {
      return `${out.message}; it may be sent again after ${new Date(out.since + BAN_MS).toISOString()}`;
    }
    this.#banned.delete(name);
    return undefined;
  }

  /** Candidates with this trust level, the longest suspected first. */
  *named(trustLevel: 'watched' | 'suspected' | 'apart'): IterableIterator<CandidateHashHex> {
    for (const name of [...this.#suspects.keys()]) if (this.trustLevel(name) === trustLevel) yield name;
  }

  /** Records a strike against a candidate that execution named. @returns its new trust level */
  recordFault(name: CandidateHashHex, message: string): 'suspected' | 'out' {
    this.#strike(name, `executing it failed three times: ${message}`);
    this.#write();
    return this.#banned.has(name) ? 'out' : 'suspected';
  }

  /** Clears candidates that ran alone without failure. */
  clear(names: readonly CandidateHashHex[]): void {
    for (const name of names) {
      const suspect = this.#suspects.get(name);
      if (suspect !== undefined) this.#suspects.set(name, { ...suspect, cleared: true });
    }
    if (names.length > 0) this.#write();
  }

  /** Moves a candidate behind the others of its trust level. */
  postpone(name: CandidateHashHex): void {
    const suspect = this.#suspects.get(name);
    if (suspect === undefined) return;
    this.#suspects.delete(name);
    this.#suspects.set(name, suspect);
  }

  /** Forgets a candidate that is in a block or has left the pool. Written with the next change. */
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

  /** True if more than `ms` have passed, or if the clock was set back by more than `ms`. */
  #hasElapsed(since: number, ms: number): boolean {
    return Math.abs(this.#now() - since) > ms;
  }

  #suspect(name: CandidateHashHex, suspect: Suspect): void {
    // Moves it behind the others of its trust level.
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
      if (!hasCode(error, 'ENOENT')) this.#onError(error);
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
