import type { Writable } from 'node:stream';
import { openTarget } from './open-target.js';
import type { ByteTarget, ResultForm, ResultWriter } from './result-writer.js';
import { unwritable } from './result-writer.js';

/** A stream that somebody else owns, such as standard output: it stays open. */
export class StreamTarget implements ByteTarget {
  readonly #stream: Writable;
  readonly #name: string;
  #failure: Error | undefined;
  readonly #onError = (error: Error) => {
    this.#failure ??= error;
  };

  /** @param name for messages */
  constructor(stream: Writable, name: string) {
    this.#stream = stream;
    this.#name = name;
    stream.on('error', this.#onError);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#check();
    await new Promise<void>((resolve) => {
      this.#stream.write(bytes, (error) => {
        if (error) this.#failure ??= error;
        resolve();
      });
    });
    this.#check();
  }

  /** Every write was awaited, so nothing is left to flush. */
  async close(): Promise<void> {
    this.#check();
    this.#stream.off('error', this.#onError);
  }

  /** After a failure the listener stays, because a stream emits an error later than it reports it to the write. */
  async abort(): Promise<void> {
    if (this.#failure === undefined) this.#stream.off('error', this.#onError);
  }

  #check(): void {
    if (this.#failure !== undefined) throw unwritable(this.#name, this.#failure);
  }
}

/** Opens a stream for results, which stays open after the writer is closed. @throws ResultsError `no_zstd` */
export function openStream(stream: Writable, name: string, form: ResultForm): Promise<ResultWriter> {
  return openTarget(new StreamTarget(stream, name), form);
}
