import { Abortable } from '../../async/abortable.js';
import type { CallAllowance, Caller } from '../../async/caller.js';
import type { HandlerContext } from '../handlers.js';
import { clientOf } from '../limits/client-of.js';
import type { CallUse, SentRequester } from './front-messages.js';

/** The context of a call that arrived on another thread. */
export class RemoteContext extends Abortable implements HandlerContext {
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly tier: HandlerContext['tier'];
  readonly subject: string | undefined;
  readonly tokenId: string | undefined;
  #client: string | undefined;

  constructor([remoteAddress, requestId, tier, subject, tokenId]: SentRequester) {
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

/** The caller of a call for a worker that arrived on another thread. */
export class LinkedCaller implements Caller {
  readonly client: string;
  readonly allowance: UseRecord;
  isGone = false;

  constructor(client: string, maxMs: number | undefined) {
    this.client = client;
    this.allowance = new UseRecord(maxMs);
  }

  cancel(): void {
    this.isGone = true;
  }
}

/** Records what a call uses. Its limit of gas is in the call itself. */
class UseRecord implements CallAllowance, CallUse {
  readonly gas = undefined;
  readonly ms: number | undefined;
  readonly runs: [ms: number, gas: number | undefined][] = [];
  work = 0;

  constructor(ms: number | undefined) {
    this.ms = ms;
  }

  use(ms: number, gas: number | undefined): void {
    this.runs.push([ms, gas]);
  }

  noteWork(gas: number): void {
    this.work += gas;
  }
}
