import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type AnyValue = {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
};
type KeyValues = readonly { readonly key: string; readonly value: AnyValue }[];

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: KeyValues;
  readonly status?: { readonly code?: number };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

/** A span as received, with the attributes of its resource. */
export interface ReceivedSpan extends Omit<ExportedSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly resource: Readonly<Record<string, string | number | undefined>>;
}

/** A receiver of OTLP traces in JSON over HTTP. */
export class OtlpReceiver {
  readonly url: string;
  /** Everything received, as sent. */
  text = '';
  readonly spans: ReceivedSpan[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.text += text;
        if (request.method === 'POST' && request.url === '/v1/traces') this.#take(JSON.parse(text));
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new OtlpReceiver(server);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #take({ resourceSpans }: ExportRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          ...span,
          attributes: plain(span.attributes),
          resource: plain(resource.attributes),
        });
      }
    }
  }
}

function plain(values: KeyValues): Record<string, string | number | undefined> {
  return Object.fromEntries(
    values.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );
}
