// Loaded into a benchmark before its program. A signal ends a program without its exit handlers, and those stop the
// nodes that it has started.
import { constants } from 'node:os';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.once('SIGTERM', () => process.exit(128 + constants.signals.SIGTERM));
  // The command was killed, perhaps before this line.
  process.once('disconnect', () => process.exit(1));
  if (process.connected === false) process.exit(1);
  // The listener above would keep a finished benchmark alive.
  process.channel?.unref();
}
