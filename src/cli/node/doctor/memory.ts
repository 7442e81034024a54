import { totalmem } from 'node:os';
import type { Config } from '../../../config/config.js';
import { MAX_MEMTABLE_BYTES } from '../../../storage/native/rocksdb-options.js';
import { bytesText, MIB } from './bytes-text.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** An idle node on two cores takes 200 MiB (docs/operations.md); under load, the heaps of its threads double that. */
const PROCESS_BYTES = 400 * MIB;
/** In memory, pending transactions take about twice their encoded size (`--pool-bytes`). */
const POOL_FACTOR = 2;

/** Maximum memory of a node's caches, buffers and queues when all of them are full, in bytes. */
export function memoryBudget(
  config: Pick<
    Config,
    'cacheBytes' | 'treeMemoryBytes' | 'poolBytes' | 'maxBufferedBytes' | 'resultCacheBytes'
  >,
): number {
  const { cacheBytes, treeMemoryBytes, poolBytes, maxBufferedBytes, resultCacheBytes } = config;
  const state = cacheBytes + treeMemoryBytes + POOL_FACTOR * poolBytes;
  // The threads that serve HTTP divide both among them.
  const serving = maxBufferedBytes + resultCacheBytes;
  return PROCESS_BYTES + MAX_MEMTABLE_BYTES + state + serving;
}

/** Compares the configured budgets with the memory of the machine or container. */
export function checkMemory(
  { config }: Pick<DoctorContext, 'config'>,
  available = availableMemory(),
): Finding {
  const { bytes, source } = available;
  const budget = memoryBudget(config);
  const found = `${bytesText(bytes)} (${source})`;
  const expected = `at least ${bytesText(budget)}: --tree-memory ${bytesText(config.treeMemoryBytes)}, twice --pool-bytes ${bytesText(config.poolBytes)}, --max-buffered-bytes ${bytesText(config.maxBufferedBytes)}, --result-cache ${bytesText(config.resultCacheBytes)}, --cache-size ${bytesText(config.cacheBytes)}, and ${bytesText(PROCESS_BYTES + MAX_MEMTABLE_BYTES)} for the process and the store's writes`;
  const advice = 'give the machine or container more memory, or lower these options';
  // A node rarely fills all budgets at once, but it needs memory for the process, the tree and the cache early.
  const floor = PROCESS_BYTES + config.treeMemoryBytes + config.cacheBytes;
  if (bytes < floor) return problem('memory', found, expected, advice);
  if (bytes < budget) return warning('memory', found, expected, advice);
  return ok('memory', found, expected);
}

interface AvailableMemory {
  readonly bytes: number;
  readonly source: string;
}

/** The smaller of the machine's memory and the limit of this process's control group. */
function availableMemory(): AvailableMemory {
  const machine = totalmem();
  // Without a limit, Node returns 0, or a number far beyond any machine.
  const limit = process.constrainedMemory();
  if (limit > 0 && limit < machine) return { bytes: limit, source: 'limit of the control group' };
  return { bytes: machine, source: 'memory of the machine' };
}
