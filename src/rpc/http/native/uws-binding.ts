/** The part of uWebSockets.js 20 in use, declared because the package is optional. */
export interface UwsBinding {
  App(): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
}

declare const listenSocket: unique symbol;

export interface UwsListenSocket {
  readonly [listenSocket]: never;
}

declare const webSocketContext: unique symbol;

/** The native settings of one {@link UwsApp.ws} call; valid for the lifetime of the app. */
export interface UwsWebSocketContext {
  readonly [webSocketContext]: never;
}

export type UwsHandler = (response: UwsResponse, request: UwsRequest) => void;

export interface UwsApp {
  post(pattern: string, handler: UwsHandler): UwsApp;
  any(pattern: string, handler: UwsHandler): UwsApp;
  /** A second call with the same pattern replaces the first. */
  ws<D>(pattern: string, behavior: UwsBehavior<D>): UwsApp;
  /** @param handler called with 1 for an accepted connection, and with -1 for a closed one, without its address */
  filter(handler: (response: UwsResponse, change: number) => void): UwsApp;
  listen(
    host: string,
    port: number,
    options: number,
    callback: (socket: UwsListenSocket | false) => void,
  ): UwsApp;
  /** Closes the listen socket and every connection. */
  close(): UwsApp;
}

export interface UwsBehavior<D> {
  /** Longer messages close their connection, without a close frame. */
  readonly maxPayloadLength: number;
  /** Messages beyond it are dropped. */
  readonly maxBackpressure: number;
  readonly closeOnBackpressureLimit: boolean;
  /** Seconds without any traffic after which a connection is closed. */
  readonly idleTimeout: number;
  readonly sendPingsAutomatically: boolean;
  /** 0 disables it. */
  readonly compression: number;
  /** Called for GET requests with a `Sec-WebSocket-Key` of 24 characters. */
  readonly upgrade: (response: UwsResponse, request: UwsRequest, context: UwsWebSocketContext) => void;
  readonly open: (socket: UwsWebSocket<D>) => void;
  /** The message is detached when the handler returns. */
  readonly message: (socket: UwsWebSocket<D>, message: ArrayBuffer, isBinary: boolean) => void;
  readonly ping: (socket: UwsWebSocket<D>) => void;
  readonly pong: (socket: UwsWebSocket<D>) => void;
  readonly drain: (socket: UwsWebSocket<D>) => void;
  /** The socket must not be used any more. */
  readonly close: (socket: UwsWebSocket<D>) => void;
}

/** Valid from `open` to `close`; later use throws. */
export interface UwsWebSocket<D> {
  getUserData(): D;
  send(message: string | Uint8Array, isBinary: boolean): number;
  sendFirstFragment(message: Uint8Array, isBinary: boolean): number;
  sendFragment(message: Uint8Array): number;
  sendLastFragment(message: Uint8Array): number;
  getBufferedAmount(): number;
  ping(): number;
  /** Sends a close frame; calls the close handler before it returns. See `UwsWebSockets`. */
  end(code: number, reason: string): void;
  /** Closes without a close frame; calls the close handler before it returns. */
  close(): void;
  cork(callback: () => void): void;
}

/** Valid only inside the handler that receives it. */
export interface UwsRequest {
  /** Passes the request on to the next handler that matches. */
  setYield(isYielding: boolean): void;
  getHeader(lowerCaseName: string | Uint8Array): string;
  getUrl(): string;
  getMethod(): string;
  getQuery(): string | undefined;
  /** Calls the handler with each header in order; names are lowercase. */
  forEach(handler: (name: string, value: string) => void): void;
}

/** Valid until answered or aborted; later use throws. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string): UwsResponse;
  end(body: string | Uint8Array, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  /** @returns whether all bytes were accepted, and whether the response is complete */
  tryEnd(rest: string | Uint8Array, totalBytes: number): [taken: boolean, done: boolean];
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  getWriteOffset(): number;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk is detached when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  pause(): void;
  resume(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  cork(callback: () => void): UwsResponse;
  close(): UwsResponse;
  /** Opens a WebSocket; the response must not be used any more. An empty protocol or extension list sends none. */
  upgrade<D>(data: D, key: string, protocol: string, extensions: string, context: UwsWebSocketContext): void;
}
