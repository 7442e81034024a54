/**
 * The part of uWebSockets.js 20 that the HTTP server uses, declared here so that the project also compiles where the
 * optional package is not installed.
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
   * Tells of connections.
   * @param handler given 1 for one that was accepted, and -1 for one that ended, whose address is gone by then
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

/** Valid only inside the handler that it is given to. */
export interface UwsRequest {
  getHeader(lowerCaseName: string): string;
  getUrl(): string;
  getMethod(): string;
  getQuery(): string | undefined;
  /** Tells of every header in the order of the head, its name in lower case. */
  forEach(handler: (name: string, value: string) => void): void;
}

/** Valid until it has been answered or aborted; using it later throws. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string): UwsResponse;
  end(body: string | Uint8Array, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  /** @returns whether all of it was taken, and whether the response is over */
  tryEnd(rest: string | Uint8Array, totalBytes: number): [taken: boolean, done: boolean];
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  /** Bytes of the body that have been taken. */
  getWriteOffset(): number;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk is detached when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  /** No more of the body is read from here on. */
  pause(): void;
  resume(): void;
  getRemoteAddressAsText(): ArrayBuffer;
  cork(callback: () => void): UwsResponse;
  close(): UwsResponse;
}
