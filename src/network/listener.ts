import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Log } from '../config/log.js';
import { toHex } from '../idl/hex.js';
import { type Endpoint, endpointText } from './endpoint.js';
import { type GateLimits, HandshakeGate } from './handshake-gate.js';
import { increment, type MeshCounts } from './mesh-counts.js';
import { MeshError } from './mesh-error.js';
import { type ChannelOptions, verifiedIdentity } from './secure-channel.js';
import type { MeshTiming } from './timing.js';

export interface ListenerOptions {
  /** Port 0 picks a free port. */
  readonly listen: Endpoint;
  readonly channel: ChannelOptions;
  readonly gate: GateLimits;
  readonly timing: MeshTiming;
  readonly counters: MeshCounts;
  readonly log: Log;
  readonly now: () => number;
  /**
   * Called when a socket has proven to hold a 32-byte key; the callee decides whether to accept the socket.
   * @returns whether the key is an allowed peer's
   */
  readonly onIdentified: (socket: TLSSocket, identityKey: Uint8Array) => boolean;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #gate: HandshakeGate;
  readonly #net: NetServer;
  readonly #tls: TlsServer;
  /** Callbacks that remove a socket from the gate, by its {@link connectionKey}. */
  readonly #gateReleases = new Map<string, () => void>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#gate = new HandshakeGate(options.gate, options.now, () =>
      increment(options.counters.refused, 'crowded'),
    );
    this.#net = createNetServer((socket) => this.#onConnection(socket));
    // The TLS server does not listen: sockets that pass the gate are handed to it.
    this.#tls = createTlsServer(options.channel);
    this.#tls.on('secureConnection', (socket) => this.#onHandshake(socket));
    this.#tls.on('tlsClientError', (error, socket) => {
      socket.destroy();
      this.#refuse('handshake_failed', socket, error.message);
    });
  }

  get unidentifiedSockets(): number {
    return this.#gate.size;
  }

  /** Called when a socket, incoming or outgoing, has proven the identity of an allowed peer. */
  noteAllowed(socket: TLSSocket, identity: string): void {
    this.#gate.noteAllowed(socket, identity);
  }

  /** @returns the actual address @throws MeshError `listen_failed` */
  async start(): Promise<Endpoint> {
    const { listen, log } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#net.once('error', (cause) => {
        const text = `cannot listen for validators on ${endpointText(listen)}: ${cause.message}`;
        reject(new MeshError('listen_failed', text, { cause }));
      });
      this.#net.listen({ host: listen.host, port: listen.port }, resolve);
    });
    this.#net.removeAllListeners('error');
    this.#net.on('error', (error) => log.error({ problem: error.message }, 'cannot accept a connection'));
    const address = this.#net.address();
    return address === null || typeof address === 'string'
      ? listen
      : { host: listen.host, port: address.port };
  }

  /** Stops listening. Resolves once all sockets are closed; the owner must close those passed to `onIdentified`. */
  async stop(): Promise<void> {
    this.#gate.close();
    if (!this.#net.listening) return;
    await new Promise<void>((resolve) => this.#net.close(() => resolve()));
  }

  #onConnection(socket: Socket): void {
    socket.on('error', () => undefined);
    if (!this.#gate.enter(socket)) {
      socket.destroy();
      return;
    }
    const ends = connectionKey(socket);
    const timer = setTimeout(() => socket.destroy(), this.#options.timing.handshakeMs);
    const leave = (): void => {
      clearTimeout(timer);
      this.#gate.leave(socket);
      if (this.#gateReleases.get(ends) === leave) this.#gateReleases.delete(ends);
    };
    this.#gateReleases.set(ends, leave);
    socket.once('close', leave);
    this.#tls.emit('connection', socket);
  }

  #onHandshake(socket: TLSSocket): void {
    socket.on('error', () => undefined);
    const identityKey = verifiedIdentity(socket);
    if (identityKey === undefined) {
      socket.destroy();
      this.#refuse('no_identity', socket, 'the peer presented no ed25519 key');
      return;
    }
    this.#gateReleases.get(connectionKey(socket))?.();
    if (this.#options.onIdentified(socket, identityKey)) this.noteAllowed(socket, toHex(identityKey));
  }

  #refuse(reason: 'handshake_failed' | 'no_identity', socket: TLSSocket, problem: string): void {
    const { counters, log } = this.#options;
    increment(counters.refused, reason);
    log.debug({ address: socket.remoteAddress, problem }, 'refused a connection');
  }
}

/** Identifies a connection by both ends; the same for a socket and the TLS socket on top of it. */
function connectionKey({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
