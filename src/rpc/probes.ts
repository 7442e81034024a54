import type { IdentifiedCalls } from './calls/identified-calls.js';
import type { Dispatcher } from './dispatcher.js';
import { RpcError } from './errors.js';
import type { HttpRequest, HttpResponse } from './http/http-server.js';
import type { RenderedMetrics } from './metrics/metrics.js';
import { plainError } from './rpc-answer.js';

export interface ProbesParts {
  readonly dispatcher: Dispatcher;
  readonly calls: IdentifiedCalls;
  /** Paces itself. */
  readonly renderMetrics: () => Promise<RenderedMetrics>;
}

/** The paths that monitoring asks: health and readiness as HTTP statuses, and metrics. */
export class Probes {
  readonly #dispatcher: Dispatcher;
  readonly #calls: IdentifiedCalls;
  readonly #renderMetrics: () => Promise<RenderedMetrics>;
  #pendingMetrics: Promise<HttpResponse> | undefined;

  constructor({ dispatcher, calls, renderMetrics }: ProbesParts) {
    this.#dispatcher = dispatcher;
    this.#calls = calls;
    this.#renderMetrics = renderMetrics;
  }

  health(request: HttpRequest): Promise<HttpResponse> {
    return this.#probe(request, 'health', isHealthy);
  }

  readiness(request: HttpRequest): Promise<HttpResponse> {
    return this.#probe(request, 'readiness', isReady);
  }

  /** Rendering is expensive and anyone may request it, so concurrent requests share a page. */
  metrics(): Promise<HttpResponse> {
    this.#pendingMetrics ??= this.#metricsPage().finally(() => {
      this.#pendingMetrics = undefined;
    });
    return this.#pendingMetrics;
  }

  async #probe(
    request: HttpRequest,
    method: string,
    isGood: (result: unknown) => boolean,
  ): Promise<HttpResponse> {
    const outcome = await this.#dispatcher.call(method, {}, this.#calls.context(request));
    if (outcome instanceof RpcError) return plainError(503, outcome);
    const status = isGood(JSON.parse(outcome)) ? 200 : 503;
    const headers = [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ] as const;
    return { status, headers, body: outcome };
  }

  async #metricsPage(): Promise<HttpResponse> {
    const { contentType, text } = await this.#renderMetrics();
    return { status: 200, headers: [['content-type', contentType]], body: text };
  }
}

/** True if the status of a `HealthResult` is `ok`. */
function isHealthy(result: unknown): boolean {
  const { status } = result as { readonly status?: { readonly type?: unknown } };
  return status?.type === 'ok';
}

/** True if `ready` of a `ReadinessResult` is true. */
function isReady(result: unknown): boolean {
  return (result as { readonly ready?: unknown }).ready === true;
}
