import { setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { showThreadName } from '../src/async/thread-name.js';
import type { WorkerData } from '../src/execution/pool/execution-tasks.js';
import { serveTasks } from '../src/execution/worker/serve-tasks.js';

/** Thread niceness: the higher, the lower its priority when CPU is scarce. */
const NICENESS = 10;
/** Refers to the calling thread, not the process. */
const THIS_THREAD = 0;

showThreadName((workerData as WorkerData).threadNumbers);
export const runTask = await serveTasks();

// Consensus, front end and store take precedence over single tasks, so that an overloaded node keeps sealing blocks.
// Loading keeps its priority: a thread that waits for the CPU while it loads delays the tasks and the end of the node.
if (process.platform === 'linux') setPriority(THIS_THREAD, NICENESS);
