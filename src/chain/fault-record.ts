import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CandidateHashHex } from '../ledger/hex-names.js';
import type { OpenedMarks } from './under-way.js';

/** What is held against a candidate that was there when something went wrong. */
interface Suspect {
  /** Times that the process ended while it ran together with others. */
  readonly crashes: number;
  /** Times that execution itself named it. */
  readonly faults: number;
  /** Whether it ran alone since, and nothing happened. */
  readonly cleared: boolean;
}

/** How a candidate may be executed. */
export type Standing =
  /** With others. */
  | 'trusted'
  /** Not in a block before it ran alone. */
  | 'suspected'
  /** It ran well alone, and the process ended twice while it ran with others: in a block of its own. */
  | 'apart'
  /** Never again. */
  | 'out';

const FILE = 'execution.faults';
/** The oldest are forgotten first. */
const MOST_OUT = 16_384;
const MOST_SUSPECTS = 65_536;

const RECORD = v.object({
  suspects: v.record(v.string(), v.object({ crashes: v.number(), faults: v.number(), cleared: v.boolean() })),
  out: v.record(v.string(), v.string()),
});

/**
 * Which candidates were at fault, `<data-dir>/execution.faults`. Whoever was under way when the process ended is suspected,
 * tried last and alone, and out when it ends so again; the same for what execution names. Names are the hashes of
 * transactions and bundles, 64 lowercase hex digits.
 */
export class FaultRecord {
  readonly #path: string;
  readonly #suspects = new Map<CandidateHashHex, Suspect>();
  /** What to say of those that are out. */
  readonly #out = new Map<CandidateHashHex, string>();
  readonly #onError: (error: unknown) => void;

  private constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path;
    this.#onError = onError;
  }

  /**
   * Opens the record of a data directory, and holds against them what was under way when the last process ended.
   * @param onError told where the file cannot be read or written: the record then is this process's alone
   */
  static open(
    dataDir: string,
    { underWay, interrupted }: OpenedMarks,
    onError: (error: unknown) => void,
  ): FaultRecord {
    const record = new FaultRecord(join(dataDir, FILE), onError);
    record.#read();
    const single = interrupted.length === 1;
    for (const { names, alone } of interrupted) {
      for (const name of names) record.#crashed(name, alone, single);
    }
    if (interrupted.length > 0) record.#write();
    // Only now: whoever starts after a crash in between holds it against them as well.
    underWay.end('block');
    underWay.end('predicted');
    return record;
  }

  standing(name: CandidateHashHex): Standing {
    if (this.isEmpty) return 'trusted';
    if (this.#out.has(name)) return 'out';
    const suspect = this.#suspects.get(name);
    if (suspect === undefined) return 'trusted';
    if (!suspect.cleared) return 'suspected';
    return suspect.crashes > 1 ? 'apart' : 'trusted';
  }

  /** Whether nothing is held against any candidate. */
  get isEmpty(): boolean {
    return this.#suspects.size === 0 && this.#out.size === 0;
  }

  /** Why a candidate is out; undefined where it is not. */
  reasonOut(name: CandidateHashHex): string | undefined {
    return this.#out.get(name);
  }

  /** Those with this standing, the longest suspected first. */
  *named(standing: 'suspected' | 'apart'): IterableIterator<CandidateHashHex> {
    for (const name of [...this.#suspects.keys()]) if (this.standing(name) === standing) yield name;
  }

  /**
   * Execution named a candidate.
   * @param alone whether it ran with nothing else
   * @returns what it is from here on
   */
  fault(name: CandidateHashHex, message: string, alone: boolean): 'suspected' | 'out' {
    const { crashes, faults } = this.#suspects.get(name) ?? NEW;
    if (alone || faults > 0) this.#putOut(name, `executing it failed twice: ${message}`);
    else this.#suspect(name, { crashes, faults: faults + 1, cleared: false });
    this.#write();
    return this.#out.has(name) ? 'out' : 'suspected';
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

  /**
   * @param alone whether it was the only one of its block
   * @param single whether nothing else was being tried meanwhile: then nothing else can have been it; for who is there
   * again and again that is no excuse
   */
  #crashed(name: CandidateHashHex, alone: boolean, single: boolean): void {
    const { crashes, faults } = this.#suspects.get(name) ?? NEW;
    if (alone && (single || crashes >= 2))
      this.#putOut(name, 'the node ended twice while it was being executed');
    else this.#suspect(name, { crashes: crashes + 1, faults, cleared: false });
  }

  #suspect(name: CandidateHashHex, suspect: Suspect): void {
    if (this.#out.has(name)) return;
    this.#suspects.set(name, suspect);
    if (this.#suspects.size > MOST_SUSPECTS) dropOldest(this.#suspects);
  }

  #putOut(name: CandidateHashHex, message: string): void {
    this.#suspects.delete(name);
    this.#out.set(name, message);
    if (this.#out.size > MOST_OUT) dropOldest(this.#out);
  }

  #read(): void {
    try {
      const { suspects, out } = v.parse(RECORD, JSON.parse(readFileSync(this.#path, 'utf8')));
      for (const [name, suspect] of Object.entries(suspects))
        this.#suspects.set(name as CandidateHashHex, suspect);
      for (const [name, message] of Object.entries(out)) this.#out.set(name as CandidateHashHex, message);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) this.#onError(error);
    }
  }

  #write(): void {
    const text = JSON.stringify({
      suspects: Object.fromEntries(this.#suspects),
      out: Object.fromEntries(this.#out),
    });
    try {
      writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.#onError(error);
    }
  }
}

const NEW: Suspect = { crashes: 0, faults: 0, cleared: false };

function dropOldest<Name>(map: Map<Name, unknown>): void {
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
