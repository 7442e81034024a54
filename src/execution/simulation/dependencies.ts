import type { Dependency, DependencyKind } from '../../generated/node-rpc-v1.js';
import { checkResponseSize } from '../../ledger/response-limit.js';
import { type AccessRecord, placeOf } from './access-record.js';

/** What of a bundle's transaction decides on what it depends. */
export interface BundleAccess {
  /** 40 lowercase hex digits. */
  readonly sender: string;
  readonly lane: number;
  readonly gasUsed: bigint;
  readonly access: AccessRecord;
}

/** What a dependency takes at least in JSON. */
const DEPENDENCY_LENGTH = 100;

/** Who touched a key so far. */
interface KeyHistory {
  writer: number | undefined;
  /** Those that read it since then. */
  readers: number[];
}

/**
 * On what the transactions of a bundle depend, by ascending `to`, then by `from`:
 *
 * 1. On the one before it of the same sender and lane, by the order of nonces. Between the two the sender's account is not
 *    named again.
 * 2. On the last one that wrote what it reads: read after write; or what it writes without having read it: write after write.
 * 3. On those that read what it writes, since it was last written: write after read.
 *
 * @throws ResponseTooLargeError where there are more than an answer has
 */
export function dependenciesOf(transactions: readonly BundleAccess[]): Dependency[] {
  const dependencies: Dependency[] = [];
  const lanes = new Map<string, number>();
  const keys = new Map<string, KeyHistory>();
  for (const [to, { sender, lane, access }] of transactions.entries()) {
    const found: Dependency[] = [];
    const before = lanes.get(`${sender}/${lane}`);
    if (before !== undefined) found.push(dependency(before, to, 'nonce_order', sender));
    lanes.set(`${sender}/${lane}`, to);
    for (const [key, { reads, writes }] of access) {
      const add = (from: number, kind: DependencyKind['type']): void => {
        if (from === before && key === sender) return;
        found.push(dependency(from, to, kind, key));
        checkResponseSize((dependencies.length + found.length) * DEPENDENCY_LENGTH);
      };
      const history = keys.get(key) ?? { writer: undefined, readers: [] };
      if (history.writer !== undefined && (reads || writes)) {
        add(history.writer, reads ? 'read_after_write' : 'write_after_write');
      }
      if (writes) {
        for (const reader of history.readers) {
          if (reader !== history.writer) add(reader, 'write_after_read');
        }
        keys.set(key, { writer: to, readers: [] });
      } else if (reads) {
        history.readers.push(to);
        keys.set(key, history);
      }
    }
    for (const each of found.sort((a, b) => a.from - b.from)) dependencies.push(each);
  }
  return dependencies;
}

/** The transactions by index in groups that do not depend on each other, in the order of their first ones. */
export function parallelGroups(count: number, dependencies: readonly Dependency[]): number[][] {
  const groupOf = Array.from({ length: count }, (_, index) => index);
  const root = (of: number): number => {
    let at = of;
    for (let up = groupOf[at] ?? at; up !== at; up = groupOf[at] ?? at) at = up;
    groupOf[of] = at;
    return at;
  };
  for (const { from, to } of dependencies) {
    const [a, b] = [root(from), root(to)];
    groupOf[Math.max(a, b)] = Math.min(a, b);
  }
  const groups = new Map<number, number[]>();
  for (let index = 0; index < count; index++) {
    const first = root(index);
    const group = groups.get(first);
    if (group === undefined) groups.set(first, [index]);
    else group.push(index);
  }
  return [...groups.values()];
}

/** The most gas that a chain of dependent transactions uses. */
export function criticalPathGas(
  transactions: readonly BundleAccess[],
  dependencies: readonly Dependency[],
): bigint {
  const before = transactions.map(() => 0n);
  let most = 0n;
  for (const [index, { gasUsed }] of transactions.entries()) {
    for (const { from, to } of dependencies) {
      if (to !== index) continue;
      const reached = before[from] ?? 0n;
      if (reached > (before[index] ?? 0n)) before[index] = reached;
    }
    before[index] = (before[index] ?? 0n) + gasUsed;
    if ((before[index] ?? 0n) > most) most = before[index] ?? 0n;
  }
  return most;
}

function dependency(from: number, to: number, kind: DependencyKind['type'], key: string): Dependency {
  return { from, to, kind: { type: kind }, ...placeOf(key) };
}
