import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { errorMessage } from '../../base/errors.js';
import { type BatchPieces, forEachOperation, type OperationVisitor } from '../write-batch.js';
import type { RocksBinding } from './rocksdb-binding.js';
import { attachToHandle, columnOptions } from './rocksdb-reader.js';
import { SyncedMark } from './synced-mark.js';

/** Maximum number of writes per sync; a larger group would only delay its first writes. */
const GROUP_LIMIT = 64;

/**
 * Runs the writer thread: applies batches to the shared database in order of arrival. Batches that queue up during a
 * write form one group, and one sync at its end makes them all durable, because the database's log is sequential. After
 * a failure nothing more is applied.
 */
export function runWriteLoop(binding: RocksBinding, setup: WriterSetup, port: MessagePort): void {
  const writer = groupWriter(binding, setup);
  let failed = false;
  port.on('message', (first: WriterRequest) => {
    const group = [first, ...receiveWaiting(port)];
    const writes = group.filter((request) => request.type === 'write');
    if (writes.length > 0 && !failed) {
      for (const reply of writer.write(writes)) {
        failed ||= reply.type === 'failed';
        port.postMessage(reply);
      }
    }
    if (writes.length < group.length) {
      writer.close();
      port.close();
    }
  });
  port.postMessage({ type: 'ready' } satisfies WriterReply);
}

function receiveWaiting(port: MessagePort): WriterRequest[] {
  const waiting: WriterRequest[] = [];
  while (waiting.length < GROUP_LIMIT) {
    const received: { message: WriterRequest } | undefined = receiveMessageOnPort(port);
    if (received === undefined) break;
    waiting.push(received.message);
  }
  return waiting;
}

type WriteRequest = Extract<WriterRequest, { readonly type: 'write' }>;

function groupWriter(binding: RocksBinding, { handle, directory }: WriterSetup) {
  const { context, columns } = attachToHandle(binding, handle);
  const batch = binding.batch_init();
  const options = columnOptions(columns);
  const mark = new SyncedMark(directory);
  const visitor: OperationVisitor = {
    put: (column, key, value) => binding.batch_put(batch, key, value, options[column]),
    delete: (column, key) => binding.batch_del(batch, key, options[column]),
  };
  const apply = (pieces: BatchPieces, sync: boolean) => {
    try {
      for (const piece of pieces) forEachOperation(piece, visitor);
      binding.batch_write(context, batch, { sync });
      if (sync) mark.set(binding.db_get_latest_sequence(context));
    } finally {
      binding.batch_clear(batch);
    }
  };
  const write = (group: readonly WriteRequest[]): WriterReply[] => {
    const lastSync = group.findLastIndex((request) => request.sync);
    let done = 0;
    try {
      for (const [index, request] of group.entries()) {
        apply(request.batch, index === lastSync);
        done++;
      }
    } catch (cause) {
      // Writes before the failure may still lack the group's sync, so none of them is acknowledged.
      const acknowledged = done > lastSync ? done : 0;
      const failure: WriterReply = { type: 'failed', message: errorMessage(cause) };
      return acknowledged > 0 ? [{ type: 'done', count: acknowledged }, failure] : [failure];
    }
    return [{ type: 'done', count: done }];
  };
  return { write, close: () => mark.close() };
}

export interface WriterSetup {
  /** Handle of the database, which is open in this process. */
  readonly handle: bigint;
  readonly directory: string;
}

/** Owner to writer, in the order in which the batches apply. */
export type WriterRequest =
  | {
      readonly type: 'write';
      /** An encoded batch: unshared buffers are transferred; shared ones are read before the reply. */
      readonly batch: BatchPieces;
      readonly sync: boolean;
    }
  /** Ends the thread after all earlier requests. */
  | { readonly type: 'end' };

/** Writer to owner. */
export type WriterReply =
  /** The writer is attached to the database. */
  | { readonly type: 'ready' }
  /** The next `count` writes, in the order they were sent, are done. */
  | { readonly type: 'done'; readonly count: number }
  /** The next write failed; neither it nor any later one is applied. */
  | { readonly type: 'failed'; readonly message: string };
