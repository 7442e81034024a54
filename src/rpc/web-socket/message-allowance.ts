/** A client may hold at most this multiple of the free bytes, as in `SlotPool`. */
const MAX_FREE_MULTIPLE = 2;

/**
 * Bounds the memory of unfinished messages, which the server libraries buffer internally. A connection may send
 * messages of full length while the pool lasts; later connections may send short ones only. Grants are counted by
 * client, so that one client cannot take them all.
 */
export class MessageAllowance {
  readonly #limit: number;
  readonly #byClient = new Map<string, number>();
  #granted = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns false if there is no room; otherwise the bytes must be given back through {@link release} */
  grant(bytes: number, client: string): boolean {
    const own = this.#byClient.get(client) ?? 0;
    const free = this.#limit - this.#granted;
    if (bytes > free || own + bytes > MAX_FREE_MULTIPLE * free) return false;
    this.#granted += bytes;
    this.#byClient.set(client, own + bytes);
    return true;
  }

  release(bytes: number, client: string): void {
    this.#granted -= bytes;
    const left = (this.#byClient.get(client) ?? 0) - bytes;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}
