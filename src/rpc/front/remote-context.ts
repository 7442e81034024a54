import { Abortable } from '../../async/abortable.js';
import type { CallContext } from '../handlers.js';
import { clientOf } from '../limits/client-of.js';
import type { RemoteClient } from './front-messages.js';

/** The context of a call that arrived on another thread. */
export class RemoteContext extends Abortable implements CallContext {
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly tier: CallContext['tier'];
  readonly subject: string | undefined;
  readonly tokenId: string | undefined;
  #client: string | undefined;

  constructor({ remoteAddress, requestId, tier, subject, tokenId }: RemoteClient) {
    super();
    this.requestId = requestId;
    this.remoteAddress = remoteAddress;
    this.tier = tier;
    this.subject = subject;
    this.tokenId = tokenId;
  }

  get client(): string {
    this.#client ??= clientOf(this);
    return this.#client;
  }

  get isGone(): boolean {
    return this.isOver;
  }

  cancel(): void {
    this.abort();
  }
}
