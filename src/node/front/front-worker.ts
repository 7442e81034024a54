import { type MessagePort, workerData } from 'node:worker_threads';
import { collectGarbageWhenIdle } from '../../async/idle-gc.js';
import { beginThread } from '../../async/thread-name.js';
import { setMaxAnswerBytes } from '../../base/answer-limit.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import { createLogger } from '../../log.js';
import type {
  FromFront,
  FrontFaultOrigin,
  FrontThreadData,
  ToFront,
} from '../../rpc/front/front-messages.js';
import { serializeError } from '../../rpc/front/serialized-error.js';
import { ThreadMonitor } from '../../rpc/metrics/thread-monitor.js';
import { FrontServer } from './front-server.js';

const port = beginThread();
try {
  await serveFront(port, workerData as FrontThreadData);
} catch (error) {
  port.postMessage({ kind: 'failed', error: serializeError(error) } satisfies FromFront);
}

/**
 * Runs a front thread, which takes HTTP requests and answers them itself or through the main thread and the execution
 * pool. Never throws: a thread that ends with open uWebSockets.js connections aborts the process.
 */
async function serveFront(port: MessagePort, data: FrontThreadData): Promise<void> {
  const { config } = data;
  const send = (message: FromFront) => port.postMessage(message);
  const onFault = (error: unknown, where: string, origin: FrontFaultOrigin = 'callback') =>
    send({ kind: 'fault', where, origin, error: serializeError(error) });
  process.on('uncaughtException', (error) => onFault(error, 'no caller was waiting', 'uncaught_exception'));
  process.on('unhandledRejection', (error) => onFault(error, 'no caller was waiting', 'unhandled_rejection'));
  setMaxAnswerBytes(config.maxAnswerBytes);
  const watch = new ThreadMonitor();
  collectGarbageWhenIdle();
  const [crypto, log] = await Promise.all([loadCrypto(config.native), createLogger(config)]);
  const server = new FrontServer({ data, crypto, log, watch, send, onFault });
  port.on('message', (message: ToFront) => server.receive(message));
}
