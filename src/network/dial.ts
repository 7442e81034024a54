import { connect, type TLSSocket } from 'node:tls';
import type { Endpoint } from './endpoint.js';
import { type ChannelOptions, verifiedIdentity } from './secure-channel.js';

export interface DialOptions {
  readonly endpoint: Endpoint;
  readonly channel: ChannelOptions;
  /** The only key that will do, 32 bytes. */
  readonly identityKey: Uint8Array;
  /** For name, connection and handshake together. */
  readonly timeoutMs: number;
  /** The handshake is done, and the other end is who it should be. */
  readonly onConnected: (socket: TLSSocket) => void;
  /** Told once, instead. */
  readonly onFailed: (why: string) => void;
}

/** An attempt to reach a peer. */
export interface Dial {
  /** Ends it; nobody is told. */
  cancel(): void;
}

/** Connects to a peer, and checks that it is the one. */
export function dial({
  endpoint,
  channel,
  identityKey,
  timeoutMs,
  onConnected,
  onFailed,
}: DialOptions): Dial {
  const socket = connect({ ...channel, host: endpoint.host, port: endpoint.port });
  let isOver = false;
  const settle = (why?: string): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (why === undefined) onConnected(socket);
    else {
      socket.destroy();
      onFailed(why);
    }
  };
  const timer = setTimeout(() => settle(`no handshake within ${timeoutMs} ms`), timeoutMs);
  socket.on('error', (error) => settle(error.message));
  socket.on('close', () => settle('closed in the handshake'));
  socket.on('secureConnect', () => {
    const shown = verifiedIdentity(socket);
    if (shown === undefined) settle('it shows no ed25519 key');
    else if (Buffer.compare(shown, identityKey) !== 0) {
      settle(`it shows another key: ${Buffer.from(shown).toString('hex')}`);
    } else settle();
  });
  return {
    cancel: () => {
      isOver = true;
      clearTimeout(timer);
      socket.destroy();
    },
  };
}
