import type { Benchmark, Part } from './catalogue/benchmark.js';
import { ENGINE } from './catalogue/engine.js';
import { FLOODS } from './catalogue/floods.js';
import { GROWTH } from './catalogue/growth.js';
import { LOAD } from './catalogue/load.js';
import { MACRO } from './catalogue/macro.js';
import { MICRO } from './catalogue/micro.js';

/** The parts that run when no name is given: they answer how fast the node is, and how cost grows. */
export const DEFAULT_PARTS: readonly Part[] = ['micro', 'macro', 'growth'];

/** In the order in which they run. */
export const BENCHMARKS: readonly Benchmark[] = [
  ...MICRO,
  ...MACRO,
  ...GROWTH,
  ...LOAD,
  ...FLOODS,
  ...ENGINE,
];
