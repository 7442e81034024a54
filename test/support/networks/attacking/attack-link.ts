import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { dial } from '../../../../src/network/dial.js';
import { largeFrame, PIECE_BYTES, pieceFrame, wholeFrame } from '../../../../src/network/frame-format.js';
import {
  FRAME_KINDS,
  type FrameKind,
  type FrameSpec,
  type FrameValues,
  MESH_VERSION,
} from '../../../../src/network/frame-kinds.js';
import { FrameReader } from '../../../../src/network/frame-reader.js';
import type { ChannelOptions } from '../../../../src/network/secure-channel.js';

/** Pause before another attempt to connect. */
const REDIAL_MS = 100;
const HANDSHAKE_MS = 5_000;

/** An honest validator under attack. */
export interface Victim {
  readonly index: number;
  readonly port: number;
  /** 32 bytes. */
  readonly identityKey: Uint8Array;
}

export interface AttackLinkOptions {
  readonly victim: Victim;
  readonly channel: ChannelOptions;
  readonly chainId: bigint;
  /** Hash of the genesis block. */
  readonly chain: Uint8Array;
  /** Maximum number of connections, one after another; the attack goes on with the remaining victims. */
  readonly maxConnections: number;
  readonly onMessage: (victim: Victim, spec: FrameSpec, payload: Uint8Array) => void;
}

/** The wire bytes of one message, in pieces if it is large. */
export function framesOf(spec: FrameSpec, payload: Uint8Array): Buffer {
  if (payload.length <= PIECE_BYTES) return wholeFrame(spec, payload);
  const frames = [largeFrame(spec, payload)];
  for (let at = 0; at < payload.length; at += PIECE_BYTES) frames.push(pieceFrame(spec, payload, at));
  return Buffer.concat(frames);
}

export function encodedFrames<K extends FrameKind>(kind: K, value: FrameValues[K]): Buffer {
  const spec: FrameSpec<K> = FRAME_KINDS[kind];
  return framesOf(spec as unknown as FrameSpec, spec.codec.encode(value));
}

/**
 * One authenticated connection to a victim that can carry any bytes. It answers pings, so that only its attacks can
 * end it, and dials again after each end.
 */
export class AttackLink {
  readonly victim: Victim;
  readonly #options: AttackLinkOptions;
  #socket: TLSSocket | undefined;
  #cancelDial: (() => void) | undefined;
  #isStopped = false;
  /** Connections that the victim accepted. */
  connections = 0;
  /** Connections that the victim ended after it had accepted them. */
  ends = 0;
  sentBytes = 0;
  receivedBytes = 0;

  constructor(options: AttackLinkOptions) {
    this.#options = options;
    this.victim = options.victim;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** True once all allowed connections have ended. */
  get isSpent(): boolean {
    return this.#isStopped || (!this.isOpen && this.connections >= this.#options.maxConnections);
  }

  /**
   * Writes bytes and waits until the system has taken them, or the connection has ended.
   * @returns false if there is no connection
   */
  async write(bytes: Uint8Array): Promise<boolean> {
    const socket = this.#socket;
    if (socket === undefined) return false;
    this.sentBytes += bytes.length;
    if (socket.write(bytes)) return true;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        socket.off('drain', settle);
        socket.off('close', settle);
        resolve();
      };
      socket.on('drain', settle);
      socket.on('close', settle);
    });
    return true;
  }

  async opened(): Promise<boolean> {
    while (!this.isOpen && !this.isSpent) await sleep(10);
    return this.isOpen;
  }

  /** Leaves unread all that the victim sends on this connection. */
  stopReading(): void {
    this.#socket?.pause();
  }

  /** Ends the connection; another one follows. */
  hangUp(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelDial?.();
    this.#socket?.destroy();
  }

  #connect(): void {
    const { victim, channel, maxConnections } = this.#options;
    if (this.#isStopped || this.connections >= maxConnections) return;
    const again = (): void => {
      setTimeout(() => this.#connect(), REDIAL_MS).unref();
    };
    this.#cancelDial = dial({
      endpoint: { host: '127.0.0.1', port: victim.port },
      channel,
      identityKey: victim.identityKey,
      timeoutMs: HANDSHAKE_MS,
      onConnected: (socket) => this.#greet(socket, again),
      onFailed: again,
    });
  }

  #greet(socket: TLSSocket, again: () => void): void {
    const { chainId, chain, victim, onMessage } = this.#options;
    const isDead = { value: false };
    const reader = new FrameReader({
      begin: () => true,
      message: (spec, payload) => {
        // The victim greets only peers that it has not banned.
        if (spec.kind === 'hello' && !isDead.value) {
          this.connections++;
          this.#socket = socket;
        } else if (spec.kind === 'ping') {
          socket.write(wholeFrame(FRAME_KINDS.pong, payload));
        } else onMessage(victim, spec, payload);
      },
    });
    socket.on('data', (chunk: Buffer) => {
      this.receivedBytes += chunk.length;
      reader.push(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isDead.value = true;
      reader.close();
      if (this.#socket === socket) {
        this.#socket = undefined;
        this.ends++;
      }
      again();
    });
    const hello = { version: MESH_VERSION, chain_id: chainId, chain };
    socket.write(wholeFrame(FRAME_KINDS.hello, FRAME_KINDS.hello.codec.encode(hello)));
  }
}
