import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { ReadableSpan, Sampler, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { atMost } from '../../async/at-most.js';
import { errorMessage } from '../../base/errors.js';
import { BoundedLog } from '../../config/bounded-log.js';
import type { Log } from '../../config/log.js';
import {
  parseTraceparent,
  type RequestSpan,
  type TracedBlock,
  type TracedCall,
  type TracedRequest,
  type Tracing,
} from './tracing.js';

export interface TracingOptions {
  /** Address of an OTLP receiver, such as `http://127.0.0.1:4318`; its path defaults to `/v1/traces`. */
  readonly endpoint: string;
  /** Share of the traces to record, in percent. */
  readonly percent: number;
  readonly version: string;
  readonly thread: string;
  readonly log: Pick<Log, 'error'>;
}

/** Spans that wait for export; further ones are dropped. */
const MAX_QUEUED = 4_096;
const MAX_BATCH = 512;
const EXPORT_EVERY_MS = 1_000;
const EXPORT_TIMEOUT_MS = 5_000;

/** Thrown if the optional OpenTelemetry packages are missing. */
export class TracingError extends Error {
  override readonly name = 'TracingError';
}

/**
 * Loads OpenTelemetry and starts exporting spans to an OTLP receiver, as JSON over HTTP. A failing receiver only costs
 * the spans, and the log reports it.
 * @throws TracingError
 */
export async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { endpoint, percent, version, thread, log } = options;
  const [api, sdk, otlp, resources] = await loadPackages();
  const exporter = new otlp.OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': 'heddle',
      'service.version': version,
      'thread.name': thread,
    }),
    // A caller may turn its trace off, but not on: that would let strangers decide how many spans are exported. A
    // sampler by trace id would let them too, because a caller chooses the id.
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(percent / 100),
      remoteParentSampled: drawing(sdk.SamplingDecision, percent / 100),
    }),
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: 256 },
    spanProcessors: [
      new sdk.BatchSpanProcessor(loggingFailures(exporter, new BoundedLog(log)), {
        maxQueueSize: MAX_QUEUED,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('heddle', version);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  let stopping: Promise<void> | undefined;

  const parentOf = (traceparent: string): Context => {
    const remote = parseTraceparent(traceparent);
    if (remote === undefined) return ROOT_CONTEXT;
    const { traceId, spanId, flags: traceFlags } = remote;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  };

  const traced = (name: string, attributes: Attributes, parent: Context): RequestSpan => {
    const begunAt = Date.now();
    const options = { kind: SpanKind.SERVER, startTime: begunAt, attributes };
    const span: Span = tracer.startSpan(name, options, parent);
    const inRequest = trace.setSpan(ROOT_CONTEXT, span);
    const call = ({ method, outcome, begunAt: callBegunAt = begunAt, waitedMs }: TracedCall): void => {
      const made = tracer.startSpan(
        method,
        { startTime: callBegunAt, attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': method } },
        inRequest,
      );
      if (outcome !== 'ok') {
        made.setAttribute('error.type', outcome);
        made.setStatus({ code: SpanStatusCode.ERROR });
      }
      const now = Date.now();
      if (waitedMs !== undefined) {
        const startTime = Math.min(now, callBegunAt + waitedMs);
        const attributes = { 'heddle.waited_ms': waitedMs };
        tracer.startSpan('worker', { startTime, attributes }, trace.setSpan(ROOT_CONTEXT, made)).end(now);
      }
      made.end(now);
    };
    const end = (status: number, requestId: string): void => {
      span.setAttribute('heddle.request_id', requestId);
      if (attributes['http.request.method'] !== undefined) {
        span.setAttribute('http.response.status_code', status);
      }
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(Date.now());
    };
    return { call, end };
  };

  const request = ({ method, route, traceparent }: TracedRequest): RequestSpan =>
    traced(
      route === '' ? method : `${method} ${route}`,
      { 'http.request.method': method, ...(route === '' ? {} : { 'http.route': route }) },
      parentOf(traceparent),
    );

  const message = (route: string): RequestSpan =>
    traced(`message ${route}`, { 'http.route': route, 'network.protocol.name': 'websocket' }, ROOT_CONTEXT);

  const block = ({ height, transactions, totalMs, executeMs, rootsMs, commitMs }: TracedBlock): void => {
    const now = Date.now();
    const span = tracer.startSpan(
      'block',
      {
        startTime: now - totalMs,
        attributes: {
          'heddle.height': height.toString(),
          'heddle.transactions': transactions,
          'heddle.execute_ms': executeMs,
          'heddle.roots_ms': rootsMs,
        },
      },
      ROOT_CONTEXT,
    );
    tracer.startSpan('commit', { startTime: now - commitMs }, trace.setSpan(ROOT_CONTEXT, span)).end(now);
    span.end(now);
  };

  const stop = (withinMs: number): Promise<void> => {
    const shutDown = async (): Promise<void> => {
      try {
        await provider.shutdown();
      } catch (error) {
        log.error({ problem: errorMessage(error) }, 'the last spans could not be exported');
      }
    };
    stopping ??= atMost(withinMs, shutDown());
    return stopping;
  };
  return { request, message, block, stop };
}

/** Samples a share of the traces at random. @param share 0 to 1 */
function drawing(
  { RECORD_AND_SAMPLED, NOT_RECORD }: typeof import('@opentelemetry/sdk-trace-base').SamplingDecision,
  share: number,
): Sampler {
  return {
    shouldSample: () => ({ decision: Math.random() < share ? RECORD_AND_SAMPLED : NOT_RECORD }),
    toString: () => `drawing ${share}`,
  };
}

/** Checks whether the optional packages of OpenTelemetry are installed. @throws TracingError */
export async function expectTracingPackages(): Promise<void> {
  await loadPackages();
}

/** @throws TracingError */
async function loadPackages() {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  } catch (cause) {
    throw new TracingError(
      `--otlp-endpoint needs the optional @opentelemetry packages: ${errorMessage(cause)}; npm install adds them`,
      { cause },
    );
  }
}

/** The traces URL of an endpoint. An endpoint with a path is used as given. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}

/** Wraps an exporter to log its failures, which the library does not report. */
function loggingFailures(exporter: SpanExporter, log: BoundedLog): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) {
          log.error(
            { problem: errorMessage(result.error), spans: spans.length },
            'spans could not be exported and are lost',
          );
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
