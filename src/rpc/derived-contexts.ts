import type { Tier } from '../idl/manifest.js';
import type { RpcError } from './errors.js';
import type { CallerContext } from './handlers.js';

/** The context of a request, for some of its calls. */
abstract class DerivedContext implements CallerContext {
  protected readonly request: CallerContext;

  constructor(request: CallerContext) {
    this.request = request;
  }

  get authenticated(): boolean {
    return this.request.authenticated;
  }

  get refusal(): RpcError | undefined {
    return this.request.refusal;
  }

  get remoteAddress(): string {
    return this.request.remoteAddress;
  }

  get tier(): Tier {
    return this.request.tier;
  }

  get subject(): string | undefined {
    return this.request.subject;
  }

  get client(): string {
    return this.request.client;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  abstract readonly isGone: boolean;
}

/** The context of a batch, which may stop to wait for its calls before its client does. */
export class BatchContext extends DerivedContext {
  #end: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #isOver = false;

  override get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#end = new AbortController();
      if (this.#isOver) this.#end.abort();
      this.#signal = AbortSignal.any([this.request.signal, this.#end.signal]);
    }
    return this.#signal;
  }

  override get isGone(): boolean {
    return this.#isOver || this.request.isGone;
  }

  /** Nobody waits for its calls any more. */
  end(): void {
    this.#isOver = true;
    this.#end?.abort();
  }
}

/** The context of a notification: it is run although nobody waits for its answer. */
export class NotificationContext extends DerivedContext {
  override get isGone(): boolean {
    return false;
  }
}
