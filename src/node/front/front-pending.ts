import type { FromFront } from '../../rpc/front/front-messages.js';
import type { PendingFeed } from '../../rpc/subscriptions/pending-channel.js';

/** A front thread's feed of transactions that enter the pool. The main thread sends them while there is a listener. */
export class FrontPending implements PendingFeed {
  readonly #send: (message: FromFront) => void;
  #listener: ((transactions: readonly (string | undefined)[]) => void) | undefined;

  constructor(send: (message: FromFront) => void) {
    this.#send = send;
  }

  listen(listener: ((transactions: readonly (string | undefined)[]) => void) | undefined): void {
    const wasOn = this.#listener !== undefined;
    this.#listener = listener;
    const isOn = listener !== undefined;
    if (isOn !== wasOn) this.#send({ kind: 'watch_pending', on: isOn });
  }

  receive(transactions: readonly (string | undefined)[]): void {
    this.#send({ kind: 'pending_taken' });
    this.#listener?.(transactions);
  }
}
