import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  /** Default true. */
  readonly isFinal?: boolean;
  /** Default true. */
  readonly isMasked?: boolean;
  /** The three reserved bits, from 0 to 7. */
  readonly reserved?: number;
  /** Announced length; default that of the payload. */
  readonly length?: number;
}

/** Encodes a WebSocket frame (RFC 6455, section 5.2), valid or not. */
export function frame(opcode: number, payload: string | Uint8Array, options: FrameOptions = {}): Buffer {
  const { isFinal = true, isMasked = true, reserved = 0 } = options;
  const body = Buffer.from(payload);
  const length = options.length ?? body.length;
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const mask = isMasked ? 0x80 : 0;
  let head: Buffer;
  if (length < 126) head = Buffer.from([first, mask | length]);
  else if (length < 65_536) {
    head = Buffer.from([first, mask | 126, length >> 8, length & 0xff]);
  } else {
    head = Buffer.alloc(10);
    head[0] = first;
    head[1] = mask | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  if (!isMasked) return Buffer.concat([head, body]);
  const key = randomBytes(4);
  return Buffer.concat([head, key, body.map((byte, i) => byte ^ (key[i & 3] ?? 0))]);
}

export interface UpgradeOptions {
  readonly path?: string;
  readonly method?: string;
  /** Replaces or adds headers; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Default 127.0.0.1. */
  readonly localAddress?: string;
  /** True to keep the connection open when the server ends it. */
  readonly allowHalfOpen?: boolean;
}

export interface ReceivedFrame {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** A WebSocket client for tests that sends raw frames and shows those it receives. */
export class SocketWire {
  readonly socket: Socket;
  /** Status of the answer to the upgrade request; 101 if the WebSocket is open. */
  status = 0;
  headers: Readonly<Record<string, string>> = {};
  /** Body of a refusal. */
  body = '';
  /** True once the connection has ended. */
  isClosed = false;
  /** The code of the close frame received. */
  closeCode: number | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  readonly #chunks: Buffer[] = [];
  readonly #wakers = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.#wake();
    });
    const end = (): void => {
      this.isClosed = true;
      this.#wake();
    };
    socket.on('error', end);
    socket.on('end', end);
    socket.on('close', end);
  }

  static async open(port: number, options: UpgradeOptions = {}): Promise<SocketWire> {
    const { localAddress = '127.0.0.1', method = 'GET', path = '/v2/ws', allowHalfOpen = false } = options;
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true, allowHalfOpen });
    const wire = new SocketWire(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    const headers: Record<string, string | undefined> = {
      host: `127.0.0.1:${port}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...options.headers,
    };
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}\r\n`],
    );
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await wire.#readHead();
    return wire;
  }

  write(bytes: string | Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  send(message: unknown): void {
    this.write(frame(OPCODES.text, typeof message === 'string' ? message : JSON.stringify(message)));
  }

  /** The next frame, or undefined if the connection ends first. Pings are answered as they are read. */
  async frame(withinMs = 10_000): Promise<ReceivedFrame | undefined> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const received = this.#parse();
      if (received !== undefined) {
        if (received.opcode === OPCODES.close && received.payload.length >= 2) {
          this.closeCode = received.payload.readUInt16BE(0);
        } else if (received.opcode === OPCODES.ping) {
          this.write(frame(OPCODES.pong, received.payload));
        }
        return received;
      }
      if (this.isClosed) return undefined;
      await this.#more(deadline);
    }
  }

  /** The JSON of the next text message, which may come in fragments. */
  async json(withinMs?: number): Promise<unknown> {
    const parts: Buffer[] = [];
    for (;;) {
      const received = await this.frame(withinMs);
      if (received === undefined) throw new Error(`the connection ended, code ${this.closeCode}`);
      if (received.opcode === OPCODES.close) throw new Error(`closed: ${this.closeCode}`);
      if (received.opcode !== OPCODES.text && received.opcode !== OPCODES.continuation) continue;
      parts.push(received.payload);
      if (received.isFinal) return JSON.parse(Buffer.concat(parts).toString());
    }
  }

  /** Calls a method and returns its answer; messages before it are dropped. */
  async call(method: string, params: unknown = {}, id: number | string = 1): Promise<RpcAnswer> {
    this.send({ jsonrpc: '2.0', id, method, params });
    for (;;) {
      const answer = (await this.json()) as RpcAnswer;
      if (answer.id === id) return answer;
    }
  }

  /** Reads until the connection ends. */
  async end(withinMs = 10_000): Promise<void> {
    while ((await this.frame(withinMs)) !== undefined);
  }

  /** Waits for the end like {@link end}, and answers the close frame, as the protocol demands. */
  async endPolitely(withinMs = 10_000): Promise<void> {
    for (;;) {
      const received = await this.frame(withinMs);
      if (received === undefined) return;
      if (received.opcode === OPCODES.close) this.write(frame(OPCODES.close, received.payload));
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }

  async #more(deadline: number): Promise<void> {
    if (Date.now() > deadline) throw new Error('nothing came in time');
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, deadline - Date.now()));
      this.#wakers.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #readHead(): Promise<void> {
    const deadline = Date.now() + 10_000;
    let end = -1;
    while (end < 0) {
      if (this.isClosed) return;
      await this.#more(deadline);
      this.#gather();
      end = this.#bytes.indexOf('\r\n\r\n');
    }
    const [line = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    this.status = Number(line.split(' ')[1]);
    this.headers = Object.fromEntries(
      lines.map((each) => [
        each.slice(0, each.indexOf(':')).toLowerCase(),
        each.slice(each.indexOf(':') + 1).trim(),
      ]),
    );
    this.#bytes = this.#bytes.subarray(end + 4);
    if (this.status === 101) return;
    const length = Number(this.headers['content-length'] ?? 0);
    while (this.#bytes.length < length && !this.isClosed) {
      await this.#more(deadline);
      this.#gather();
    }
    this.body = this.#bytes.toString();
  }

  #gather(): void {
    if (this.#chunks.length > 0) this.#bytes = Buffer.concat([this.#bytes, ...this.#chunks.splice(0)]);
  }

  #parse(): ReceivedFrame | undefined {
    this.#gather();
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    let length = (bytes[1] ?? 0) & 0x7f;
    let start = 2;
    if (length === 126) {
      if (bytes.length < 4) return undefined;
      length = bytes.readUInt16BE(2);
      start = 4;
    } else if (length === 127) {
      if (bytes.length < 10) return undefined;
      length = Number(bytes.readBigUInt64BE(2));
      start = 10;
    }
    if (bytes.length < start + length) return undefined;
    this.#bytes = bytes.subarray(start + length);
    const first = bytes[0] ?? 0;
    const payload = bytes.subarray(start, start + length);
    return { opcode: first & 0x0f, isFinal: first >= 0x80, payload };
  }
}

export interface RpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly kind: string; readonly retryable: boolean };
  };
}
