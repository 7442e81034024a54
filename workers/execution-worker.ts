import { setPriority } from 'node:os';
import { serveTasks } from '../src/execution/worker/serve-tasks.js';

/** Of a thread: the higher, the less it gets where there is not enough for all. */
const NICENESS = 10;
/** The thread that calls; not the process. */
const THIS_THREAD = 0;

// Agreement, front end and store go before what is only one of many tasks: a node that has more to do than it can goes on sealing.
if (process.platform === 'linux') setPriority(THIS_THREAD, NICENESS);

/** What the pool calls for each task. */
export const runTask = serveTasks();
