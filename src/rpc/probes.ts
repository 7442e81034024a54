import type { HealthResult, ReadinessResult } from '../generated/node-rpc-v1.js';
import type { IdentifiedCalls } from './calls/identified-calls.js';
import type { Dispatcher } from './dispatcher.js';
import { RpcError } from './errors.js';
import type { HttpRequest, HttpResponse } from './http/http-server.js';
import type { RenderedMetrics } from './metrics/node-metrics.js';
import { plainError, plainResult } from './rpc-answer.js';

export interface ProbesParts {
  readonly dispatcher: Dispatcher;
  readonly calls: IdentifiedCalls;
  /** Paces itself. */
  readonly renderMetrics: () => Promise<RenderedMetrics>;
}

/** The paths that monitoring asks: health and readiness as HTTP statuses, and metrics. */
export class Probes {
  readonly #parts: ProbesParts;
  #pendingMetrics: Promise<HttpResponse> | undefined;

  constructor(parts: ProbesParts) {
    this.#parts = parts;
  }

  health(request: HttpRequest): Promise<HttpResponse> {
    return this.#probe(request, 'health', ({ status }) => status?.type === 'ok');
  }

  readiness(request: HttpRequest): Promise<HttpResponse> {
    return this.#probe(request, 'readiness', ({ ready }) => ready === true);
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
    isGood: (result: Partial<HealthResult & ReadinessResult>) => boolean,
  ): Promise<HttpResponse> {
    const outcome = await this.#parts.dispatcher.call(method, {}, this.#parts.calls.context(request));
    if (outcome instanceof RpcError) return plainError(503, outcome);
    const status = isGood(JSON.parse(outcome) as object) ? 200 : 503;
    return plainResult(outcome, [['cache-control', 'no-store']], status);
  }

  async #metricsPage(): Promise<HttpResponse> {
    const { contentType, text } = await this.#parts.renderMetrics();
    return { status: 200, headers: [['content-type', contentType]], body: text };
  }
}
