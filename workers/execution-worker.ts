import { serveTasks } from '../src/execution/worker/serve-tasks.js';

/** What the pool calls for each task. */
export const runTask = serveTasks();
