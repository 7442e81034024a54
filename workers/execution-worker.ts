import { serveTasks } from '../src/execution/serve-tasks.js';

/** What the pool calls for each task. */
export const runTask = serveTasks();
