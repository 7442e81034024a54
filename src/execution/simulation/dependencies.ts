import { checkAnswerSize } from '../../base/answer-limit.js';
import { addTo } from '../../base/multi-map.js';
import type { Dependency, DependencyKind } from '../../generated/node-rpc-v1.js';
import { DisjointSets } from '../parallel/disjoint-sets.js';
import { type AccessRecord, placeOf } from './access-record.js';

/** The data of a bundle's transaction that determines its dependencies. */
export interface BundleAccess {
  /** 40 lowercase hex digits. */
  readonly sender: string;
  readonly lane: number;
  readonly gasUsed: bigint;
  readonly access: AccessRecord;
}

/** Minimum JSON length of a dependency. */
const DEPENDENCY_LENGTH = 100;

interface KeyHistory {
  writer: number | undefined;
  /** Readers since the last write. */
  readers: number[];
}

/**
 * Returns the dependencies among the transactions of a bundle, by ascending `to`, then by `from`. A transaction
 * depends on:
 *
 * 1. the previous transaction of the same sender and lane, by the order of nonces. The sender's account is not listed
 *    as a second dependency of the same pair.
 * 2. the last writer of a key that the transaction reads (read after write), or writes without reading (write after
 *    write).
 * 3. the readers, since the last write, of a key that the transaction writes (write after read).
 *
 * @throws AnswerTooLongError if the dependencies do not fit in a response
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
        checkAnswerSize((dependencies.length + found.length) * DEPENDENCY_LENGTH);
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

/** Divides transactions, by index, into groups that do not depend on each other, ordered by their first members. */
export function parallelGroups(count: number, dependencies: readonly Dependency[]): number[][] {
  const sets = new DisjointSets(count);
  for (const { from, to } of dependencies) sets.join(from, to);
  const groups = new Map<number, number[]>();
  for (const [index, first] of sets.roots().entries()) addTo(groups, first, index);
  return [...groups.values()];
}

/** Returns the maximum gas of a chain of dependent transactions. */
export function criticalPathGas(
  transactions: readonly BundleAccess[],
  dependencies: readonly Dependency[],
): bigint {
  const before = transactions.map(() => 0n);
  let max = 0n;
  for (const [index, { gasUsed }] of transactions.entries()) {
    for (const { from, to } of dependencies) {
      if (to !== index) continue;
      const reached = before[from] ?? 0n;
      if (reached > (before[index] ?? 0n)) before[index] = reached;
    }
    before[index] = (before[index] ?? 0n) + gasUsed;
    if ((before[index] ?? 0n) > max) max = before[index] ?? 0n;
  }
  return max;
}

function dependency(from: number, to: number, kind: DependencyKind['type'], key: string): Dependency {
  return { from, to, kind: { type: kind }, ...placeOf(key) };
}
