import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A TCP connection for a test to write raw bytes and read HTTP answers one by one. */
export class Wire {
  readonly socket: Socket;
  /** Whether the other side has closed the connection. */
  closed = false;
  /** Total number of bytes received. */
  received = 0;
  #received: Buffer = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  #wake: () => void = () => undefined;

  static async open(port: number, host = '127.0.0.1'): Promise<Wire> {
    const socket = connect({ port, host, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve();
      });
    });
    return new Wire(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.received += chunk.length;
      this.#chunks.push(chunk);
      this.#wake();
    });
    // A server that cuts a connection off may reset it; that is an end like any other.
    socket.on('error', () => this.#end());
    socket.on('close', () => this.#end());
  }

  /** Received bytes that have not been read as an answer. */
  get unread(): Buffer {
    if (this.#chunks.length > 0) {
      this.#received = Buffer.concat([this.#received, ...this.#chunks.splice(0)]);
    }
    return this.#received;
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** A POST of a whole body; `path` may carry a query. */
  post(body: string, path = '/'): void {
    this.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  /** The next answer. @param bodyless whether it answers a HEAD */
  async answer(bodyless = false): Promise<WireAnswer> {
    for (;;) {
      const unread = this.unread;
      const answer = parseAnswer(unread, bodyless);
      if (answer !== undefined) {
        this.#received = unread.subarray(answer.end);
        return answer;
      }
      if (this.closed) throw new Error(`the connection ended before a whole answer: ${unread.length} bytes`);
      await this.#more();
    }
  }

  /** Resolves when the server has closed the connection; rejects on timeout. */
  async end(withinMs = 5_000): Promise<void> {
    let waitedMs = 0;
    for (let last = performance.now(); !this.closed; ) {
      if (waitedMs > withinMs) throw new Error(`the connection is still open after ${withinMs} ms`);
      await Promise.race([this.#more(), new Promise((resolve) => setTimeout(resolve, 50))]);
      const now = performance.now();
      // After a stall, this process has not yet read what the server did.
      waitedMs += Math.min(now - last, 100);
      last = now;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #end(): void {
    this.closed = true;
    this.#wake();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function parseAnswer(bytes: Buffer, bodyless: boolean): (WireAnswer & { readonly end: number }) | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const start = headEnd + 4;
  const end = start + (bodyless ? 0 : Number(headers['content-length'] ?? 0));
  if (bytes.length < end) return undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body: bytes.subarray(start, end), end };
}
