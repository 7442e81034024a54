import type { MaybeAsync } from '../../async/deferred.js';

/** A request to open a WebSocket (RFC 6455, section 4.1). Valid until its verdict. */
export interface UpgradeRequest {
  /** Value of one of {@link WebSocketRoute.headers}, or the empty string. */
  header(name: string): string;
  /** Set on first use; see `RequestIds`. */
  requestId?: string | undefined;
  /** The peer's address as text. */
  readonly remoteAddress: string;
}

export interface UpgradeAccepted {
  /** The chosen subprotocol; empty for none. */
  readonly protocol: string;
  /** Selects the limit of the connection's messages: `maxMessageBytes` or `crowdedMessageBytes`. */
  readonly size: 'full' | 'crowded';
  /** Called once the connection is open. */
  readonly open: (socket: ServerWebSocket) => WebSocketListener;
  /** Called instead of `open` if the peer is gone before its connection is open. */
  readonly abandoned: () => void;
}

/** The HTTP response to a refused request. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array;
}

export type UpgradeVerdict = UpgradeAccepted | { readonly refusal: UpgradeRefusal };

/** The path on which a server opens WebSockets. Compression is never negotiated. */
export interface WebSocketRoute {
  readonly path: string;
  /** Lowercase names of the headers that {@link accept} reads. */
  readonly headers: readonly string[];
  /** Longer messages, whole or in fragments, close their connection. */
  readonly maxMessageBytes: number;
  /** The limit for connections that were accepted as `crowded`. */
  readonly crowdedMessageBytes: number;
  /** Maximum number of unsent bytes of a connection, beyond which the server cuts it off; a backstop. */
  readonly maxUnsentBytes: number;
  /** Accepts or refuses an upgrade request. Must not throw or reject. */
  readonly accept: (request: UpgradeRequest) => MaybeAsync<UpgradeVerdict>;
  /**
   * Called when the server stops: refuses further requests, gives calls in progress at most `graceMs` to finish, then
   * closes every connection with code 1001. Must not reject.
   */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** An open WebSocket, as seen by the server. Every method may be called after the end, without effect. */
export interface ServerWebSocket {
  readonly remoteAddress: string;
  /** Number of bytes that the system has not accepted yet, because the peer does not read. */
  readonly unsentBytes: number;
  /** Memory of the unsent messages; at least {@link unsentBytes}. */
  readonly heldBytes: number;
  /** Sends a text message: a string, or its UTF-8 bytes, which must not change afterwards. */
  send(message: string | Uint8Array): void;
  /** Runs a function that sends several messages, which may then share packets. */
  cork(send: () => void): void;
  ping(): void;
  /** Sends a close frame and ends the connection. @param reason at most 123 bytes */
  close(code: number, reason: string): void;
  /** Ends the connection at once, without a close frame. */
  terminate(): void;
}

/** The events of one connection. Must not throw. */
export interface WebSocketListener {
  /** @param message valid only during the call */
  onMessage(message: Uint8Array, isBinary: boolean): void;
  /** Called for a pong, and for a ping, which the server has answered. */
  onControlFrame(): void;
  /** Called when the system has accepted unsent bytes. */
  onDrain(): void;
  /** Called once, after all other events. */
  onClose(): void;
}
