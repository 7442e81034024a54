import { maxFaulty } from '../core/rules.js';
import type { Random } from './random.js';

/** A fault with its start and duration. Times are virtual milliseconds. */
export type FaultEvent = { readonly atMs: number; readonly forMs: number } & (
  | {
      readonly type: 'crash';
      readonly nodes: readonly number[];
      /** `restored`: the disk is reset to a backup. */
      readonly disk: 'kept' | 'wiped' | 'restored';
    }
  /** Validators stop in order, and start again. */
  | { readonly type: 'stop'; readonly nodes: readonly number[] }
  | { readonly type: 'partition'; readonly side: readonly number[] }
  /** Connections of one node break, all of them or one. */
  | { readonly type: 'disconnect'; readonly node: number; readonly peers: readonly number[] }
  /** Messages from some nodes to some others are held back until the end. */
  | { readonly type: 'hold'; readonly from: readonly number[]; readonly to: readonly number[] }
  /** The wall clock of a node jumps, and back at the end. */
  | { readonly type: 'clock'; readonly node: number; readonly byMs: number }
);

export interface FaultDraw {
  readonly random: Random;
  readonly honest: readonly number[];
  readonly validators: number;
  readonly untilMs: number;
  /** Number of honest validators whose disk may be reset to a backup: they count as faulty. */
  readonly mayRestore: number;
}

const KINDS = ['crash', 'crash', 'partition', 'disconnect', 'hold', 'clock'] as const;

export function drawFaults({ random, honest, validators, untilMs, mayRestore }: FaultDraw): FaultEvent[] {
  const faults: FaultEvent[] = [];
  if (untilMs === 0) return faults;
  const count = random.below(6);
  const mayWipe = validators > 1 && random.chance(0.15);
  const restored = random.chance(0.6) ? honest.slice(0, mayRestore) : [];
  const some = (max: number) => random.sample(random.between(1, max), validators);
  for (let i = 0; i < count; i++) {
    const atMs = random.below(untilMs);
    const time = { atMs, forMs: random.between(1, untilMs - atMs) };
    const type = validators === 1 ? 'crash' : random.pick(KINDS);
    switch (type) {
      case 'crash': {
        const count = random.chance(0.3) ? honest.length : random.between(1, honest.length);
        const nodes = random.sample(count, honest.length).map((at) => honest[at] ?? 0);
        if (restored.length > 0) {
          faults.push({ type, ...time, nodes: restored, disk: 'restored' });
          // Without a quorum the others stay in the views in which these have voted.
          const others = honest.filter((index) => !restored.includes(index));
          if (random.chance(0.7))
            faults.push({ type, ...time, nodes: others.slice(0, maxFaulty(validators)), disk: 'kept' });
        } else faults.push({ type, ...time, nodes, disk: mayWipe && random.chance(0.5) ? 'wiped' : 'kept' });
        break;
      }
      case 'partition':
        faults.push({ type, ...time, side: some(validators - 1) });
        break;
      case 'disconnect':
        faults.push({ type, ...time, node: random.below(validators), peers: some(validators) });
        break;
      case 'hold':
        faults.push({ type, ...time, from: some(validators), to: some(validators) });
        break;
      case 'clock':
        faults.push({ type, ...time, node: random.pick(honest), byMs: random.between(-5_000, 5_000) });
        break;
    }
  }
  return faults;
}

export interface StopDraw extends Pick<FaultDraw, 'random' | 'honest' | 'untilMs'> {
  /** Validators that begin behind the others: a stop may interrupt their catch-up. */
  readonly behind: ReadonlyMap<number, number>;
}

export function drawStops({ random, honest, behind, untilMs }: StopDraw): FaultEvent[] {
  if (untilMs === 0 || !random.chance(behind.size > 0 ? 0.5 : 0.15)) return [];
  const nodes = behind.size > 0 && random.chance(0.7) ? [...behind.keys()] : [random.pick(honest)];
  const atMs = random.below(behind.size > 0 ? Math.min(untilMs, 800) : untilMs);
  return [{ type: 'stop', atMs, forMs: random.between(1, untilMs - atMs), nodes }];
}
