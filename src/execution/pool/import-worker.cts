import threads = require('node:worker_threads');

// Piscina loads this module by `require`, and the module imports the pool's own. Node 20 ends the process with a fatal
// error if a thread is terminated while it requires an ES module, but not while it imports one.
const runTask = import(threads.workerData.module).then((worker) => worker.runTask);

export = { runTask };
