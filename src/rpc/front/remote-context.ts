import { Abortable } from '../../async/abortable.js';
import type { HandlerContext, Requester } from '../handlers.js';
import { clientOf } from '../limits/client-of.js';

/** The context of a call that arrived on another thread. */
export class RemoteContext extends Abortable implements HandlerContext {
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly tier: HandlerContext['tier'];
  readonly subject: string | undefined;
  readonly tokenId: string | undefined;
  #client: string | undefined;

  constructor({ remoteAddress, requestId, tier, subject, tokenId }: Requester) {
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
