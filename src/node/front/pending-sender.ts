/** Maximum number of messages that the front thread has not acknowledged; further ones are dropped. */
const MAX_UNTAKEN = 4;

/** Sends pending transactions from the main thread to one front thread. A thread that falls behind misses some. */
export class PendingSender {
  readonly #send: (transactions: readonly (string | undefined)[]) => void;
  #untaken = 0;
  #hasMissed = false;

  constructor(send: (transactions: readonly (string | undefined)[]) => void) {
    this.#send = send;
  }

  readonly onTransactions = (transactions: readonly (string | undefined)[]): void => {
    if (this.#untaken >= MAX_UNTAKEN) {
      this.#hasMissed = true;
      return;
    }
    this.#untaken++;
    this.#send(this.#hasMissed ? [undefined, ...transactions] : transactions);
    this.#hasMissed = false;
  };

  onTaken(): void {
    this.#untaken--;
    if (this.#hasMissed) this.onTransactions([]);
  }
}
