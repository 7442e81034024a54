/** A call that was answered. Times in milliseconds since 1970. */
export interface TracedCall {
  readonly method: string;
  /** `ok` or the kind of the error. */
  readonly outcome: string;
  /** Undefined if the call is not timed: it then takes the time of its request. */
  readonly begunAt: number | undefined;
  /** Wait for a worker; undefined if no worker answered the call, or if unknown. */
  readonly waitedMs?: number | undefined;
}

/** The span of an HTTP request or of a message of a WebSocket. */
export interface RequestSpan {
  call(call: TracedCall): void;
  /** Called once, with the status of the answer: for a message, that of the same call over HTTP. */
  end(status: number, requestId: string): void;
}

export interface TracedRequest {
  readonly method: string;
  /** A path that the node serves, or the empty string: other paths may hold anything. */
  readonly route: string;
  /** The header of that name; the empty string without one. */
  readonly traceparent: string;
}

/** A block that was sealed or imported. Durations in milliseconds. */
export interface TracedBlock {
  readonly height: bigint;
  readonly transactions: number;
  /** From the start of the block to its synced commit, which is now. */
  readonly totalMs: number;
  readonly executeMs: number;
  readonly rootsMs: number;
  readonly commitMs: number;
}

/** Records spans of requests, messages and blocks for OpenTelemetry. No method throws. */
export interface Tracing {
  request(request: TracedRequest): RequestSpan;
  /** A message of a WebSocket, which begins a trace. @param route the path of the WebSockets */
  message(route: string): RequestSpan;
  block(block: TracedBlock): void;
  /** Exports the remaining spans; those that are not exported in time are lost. */
  stop(withinMs: number): Promise<void>;
}

export interface RemoteParent {
  /** 32 and 16 lowercase hex digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Longer headers are ignored. Later versions may append fields; none is defined yet. */
const MAX_TRACEPARENT = 256;

/** Reads a `traceparent` header (W3C Trace Context); undefined if it is absent or invalid. */
export function parseTraceparent(header: string): RemoteParent | undefined {
  if (header === '' || header.length > MAX_TRACEPARENT) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}
