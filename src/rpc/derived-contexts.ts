import type { Tier } from '../idl/manifest.js';
import type { RpcError } from './errors.js';
import type { CallerContext } from './handlers.js';

/** A modified context for some calls of a request. */
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

/** The context of a batch, which may stop waiting for its calls before its client disconnects. */
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

  /** Marks the calls as gone. */
  end(): void {
    this.#isOver = true;
    this.#end?.abort();
  }
}

/** The context of a notification: it runs to the end although no one waits for an answer. */
export class NotificationContext extends DerivedContext {
  override get isGone(): boolean {
    return false;
  }
}
