import { connect, type TLSSocket } from 'node:tls';
import type { Cancel } from '../async/runtime.js';
import { sameBytes } from '../base/same-bytes.js';
import { toHex } from '../idl/hex.js';
import type { Endpoint } from './endpoint.js';
import { type ChannelOptions, verifiedIdentity } from './secure-channel.js';

export interface DialOptions {
  readonly endpoint: Endpoint;
  readonly channel: ChannelOptions;
  /** The identity that the other end must prove, an ed25519 public key of 32 bytes. */
  readonly identityKey: Uint8Array;
  /** Covers name resolution, connection and handshake together. */
  readonly timeoutMs: number;
  /** Called once the handshake is complete and the other end has proven its identity. */
  readonly onConnected: (socket: TLSSocket) => void;
  /** Called at most once, instead of `onConnected`. */
  readonly onFailed: (why: string) => void;
}

/** @returns aborts the attempt without calling either callback */
export function dial(options: DialOptions): Cancel {
  const { endpoint, channel, identityKey, timeoutMs, onConnected, onFailed } = options;
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
  socket.on('close', () => settle('closed during the handshake'));
  socket.on('secureConnect', () => {
    const shown = verifiedIdentity(socket);
    if (shown === undefined) settle('the peer presented no ed25519 key');
    else if (!sameBytes(shown, identityKey)) {
      settle(`the peer presented another key: ${toHex(shown)}`);
    } else settle();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    socket.destroy();
  };
}
