/**
 * The subset of uWebSockets.js 20 that the HTTP server uses, declared here so that the project compiles without the
 * optional package.
 */
export interface UwsBinding {
  App(): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
}

declare const listenSocket: unique symbol;

/** A native listen socket. */
export interface UwsListenSocket {
  readonly [listenSocket]: never;
}

export type UwsHandler = (response: UwsResponse, request: UwsRequest) => void;

export interface UwsApp {
  post(pattern: string, handler: UwsHandler): UwsApp;
  any(pattern: string, handler: UwsHandler): UwsApp;
  /**
   * Reports connections.
   * @param handler called with 1 for an accepted connection, and with -1 for a closed one, whose address is no longer
   *   available
   */
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

/** Valid only inside the handler that receives it. */
export interface UwsRequest {
  getHeader(lowerCaseName: string): string;
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
  /** Number of body bytes accepted. */
  getWriteOffset(): number;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk is detached when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  /** Stops reading the body. */
  pause(): void;
  resume(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  cork(callback: () => void): UwsResponse;
  close(): UwsResponse;
}
