import type { Tracer } from '../../generated/node-rpc-v1.js';

/** A set of tracers, one bit each, encoded as one byte for a worker. */
export type TracerSet = number;

const BITS: Readonly<Record<Tracer['type'], number>> = {
  call_tree: 1,
  host_ops: 2,
  state_diff: 4,
  prestate: 8,
  gas_profile: 16,
};

/** Returns the set of a list; by default, only the call tree. */
export function tracerSet(tracers: readonly Tracer[] | undefined): TracerSet {
  if (tracers === undefined) return BITS.call_tree;
  return tracers.reduce((set, { type }) => set | BITS[type], 0);
}

export function hasTracer(set: TracerSet, tracer: Tracer['type']): boolean {
  return (set & BITS[tracer]) !== 0;
}
