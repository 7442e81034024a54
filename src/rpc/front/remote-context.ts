import type { CallContext } from '../handlers.js';
import { clientOf } from '../limits/client-of.js';
import type { RemoteClient } from './front-messages.js';

/** The context of a call that arrived on another thread. */
export class RemoteContext implements CallContext {
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly tier: CallContext['tier'];
  readonly subject: string | undefined;
  readonly tokenId: string | undefined;
  #controller: AbortController | undefined;
  #isCancelled = false;
  #client: string | undefined;

  constructor({ remoteAddress, requestId, tier, subject, tokenId }: RemoteClient) {
    this.requestId = requestId;
    this.remoteAddress = remoteAddress;
    this.tier = tier;
    this.subject = subject;
    this.tokenId = tokenId;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isCancelled) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get client(): string {
    this.#client ??= clientOf(this);
    return this.#client;
  }

  get isGone(): boolean {
    return this.#isCancelled;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#controller?.abort();
  }
}
