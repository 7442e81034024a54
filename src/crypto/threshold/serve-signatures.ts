import type { MessagePort } from 'node:worker_threads';
import { errorMessage } from '../../base/errors.js';
import type { NativeChoice } from '../../config/native-mode.js';
import { CryptoError } from '../crypto-error.js';
import { loadBls } from '../load-bls.js';
import type {
  JobKind,
  NumberedJob,
  SignatureReply,
  SignatureRequest,
  SignatureWorkerData,
} from './messages.js';
import { SignatureJobRunner } from './signature-job-runner.js';
import { SignatureServiceError, type SignatureServiceErrorCode } from './signature-service-error.js';

/** Jobs that peers can cause; this validator's votes never wait for them. */
const CHECKS: ReadonlySet<JobKind> = new Set(['assemble', 'verify_partials', 'verify']);

/** Runs the jobs of messages.ts in the worker, signing before verification. Messages are received between jobs. */
export async function serveSignatures(port: MessagePort, { native }: SignatureWorkerData): Promise<void> {
  const post = (reply: SignatureReply) => port.postMessage(reply);
  const urgent: NumberedJob[] = [];
  const others: NumberedJob[] = [];
  let runner: SignatureJobRunner | undefined;
  let busy = false;

  const work = (current: SignatureJobRunner) => {
    const job = urgent.shift() ?? others.shift();
    busy = job !== undefined;
    if (job === undefined) return;
    post(answer(current, job));
    setImmediate(work, current);
  };
  const begin = () => {
    if (busy || runner === undefined) return;
    busy = true;
    work(runner);
  };

  port.on('message', (request: SignatureRequest) => {
    if (request.type === 'stop') {
      urgent.length = 0;
      others.length = 0;
      runner?.clear();
      post({ type: 'stopped' });
      port.close();
      return;
    }
    for (const job of request.jobs) {
      (CHECKS.has(job.kind) ? others : urgent).push(job);
    }
    begin();
  });

  try {
    const choices: NativeChoice[] = [];
    runner = new SignatureJobRunner(await loadBls(native, (choice) => choices.push(choice)));
    post({ type: 'ready', choice: choices[0] });
    begin();
  } catch (error) {
    post({ type: 'failed', ...problemOf(error, 'worker_failed') });
    port.close();
  }
}

function answer(runner: SignatureJobRunner, job: NumberedJob): SignatureReply {
  try {
    return { type: 'done', id: job.id, result: runner.run(job) };
  } catch (error) {
    return { type: 'failed', id: job.id, ...problemOf(error, 'invalid_input') };
  }
}

/** @param otherwise the code to use for a CryptoError */
function problemOf(
  error: unknown,
  otherwise: SignatureServiceErrorCode,
): { readonly code: SignatureServiceErrorCode; readonly message: string } {
  if (error instanceof SignatureServiceError) return { code: error.code, message: error.message };
  const message = errorMessage(error);
  return { code: error instanceof CryptoError ? otherwise : 'worker_failed', message };
}
