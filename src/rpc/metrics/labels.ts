/** Label values come from the program, its configuration or the validator set: no client can add series. */
export const LABELS: Readonly<Record<string, string>> = {
  code: 'fault: of a follower’s source, or of a validator in the mesh',
  how: 'what happened to the body, answer or call, to the view call, or to the call with a result that never changes',
  kind: 'of a message or of a garbage collection',
  major: 'of the Node.js version',
  method: 'qualified name; empty for requests that name no method',
  minor: 'of the Node.js version',
  node_version: 'version of Node.js',
  origin: 'where the error surfaced: `callback`, `uncaught_exception`, `unhandled_rejection`',
  outcome: '`ok` or the kind of the error',
  patch: 'of the Node.js version',
  pool: 'worker threads: `calls`, `reads`, `blocks`',
  queue: '`calls` and `reads` in workers, `slices` of long work in the thread itself',
  reason: 'why something was refused or closed',
  source: 'URL of a node that this one follows, as configured',
  space: 'of the heap',
  status: 'HTTP status',
  thread: '`main`, `front-0`, `front-1`, …',
  topic: 'of a subscription: `new_blocks`, `finalized_blocks`, `pending_txs`, `logs`',
  type: 'of an active resource',
  validator: 'index in the validator set of the epoch',
  verdict: '`suspected`: retried alone; else removed for good',
  version: 'of the node',
};

/** Label of `heddle_build_info` for a part with a native implementation: `true` if it is in use. */
export const NATIVE_LABEL_PREFIX = 'native_';
