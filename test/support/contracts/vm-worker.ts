/** A worker with the engine's own limits, like an execution worker: it runs its jobs in order. */
import { parentPort } from 'node:worker_threads';
import { CodeRefused } from '../../../src/vm/errors.js';
import { LIMITS } from '../../../src/vm/wasm/engine-limits.js';
import { HOST_CRYPTO } from '../crypto/host-crypto.js';
import { address, VmWorld } from '../worlds/vm-world.js';

export interface VmJob {
  readonly code: Uint8Array;
  readonly input?: Uint8Array;
  readonly gas?: bigint;
  /** Number of calls; the answer is the last call's. */
  readonly times?: number;
}

export interface VmAnswer {
  /** The status, the kind of trap, or the rule of a refusal. */
  readonly ending: string;
  readonly gasUsed: bigint;
  readonly output: Uint8Array;
  /** Resident memory of the process afterwards. */
  readonly residentBytes: number;
}

const port = parentPort;
if (port === null) {
  throw new Error('this module is the entry of a worker');
}
const crypto = HOST_CRYPTO;
const self = address(1);

port.on('message', (job: VmJob) => {
  port.postMessage(answer(job));
});

function answer({ code, input, gas, times = 1 }: VmJob): VmAnswer {
  const world = new VmWorld(crypto, LIMITS);
  try {
    world.deploy(self, code);
  } catch (error) {
    if (error instanceof CodeRefused) {
      return {
        ending: error.rule,
        gasUsed: 0n,
        output: new Uint8Array(0),
        residentBytes: process.memoryUsage.rss(),
      };
    }
    throw error;
  }
  const frame = { ...(input === undefined ? {} : { input }), ...(gas === undefined ? {} : { gas }) };
  let outcome = world.run(self, frame);
  for (let n = 1; n < times; n++) {
    outcome = world.run(self, frame);
  }
  return {
    ending: outcome.trap?.kind ?? outcome.status,
    gasUsed: outcome.gasUsed,
    output: outcome.output,
    residentBytes: process.memoryUsage.rss(),
  };
}
