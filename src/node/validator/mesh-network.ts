import type { Chain } from '../../chain/chain.js';
import {
  certificateFromWire,
  certificateToWire,
  voteFromWire,
  voteToWire,
} from '../../consensus/core/wire.js';
import { hashBytes } from '../../consensus/shell/conversions.js';
import type { Network, PeerMessage } from '../../consensus/shell/ports.js';
import type { SealShare } from '../../generated/mesh.js';
import type { PeerHealth } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { FrameValues, MessageKind } from '../../network/frame-kinds.js';
import type { Mesh, MeshPeer } from '../../network/mesh.js';

/** Receives the network's events. Its methods never throw. */
export interface NetworkListener {
  receive(from: number, message: PeerMessage): void;
  onPeerConnected(peer: number): void;
  onPeerDisconnected(peer: number): void;
}

export interface MeshNetworkOptions {
  readonly mesh: Mesh;
  readonly chain: Pick<Chain, 'validatorsAt'>;
}

/**
 * Messages accepted from peers outside the epoch's set, which fetch final blocks to follow the chain. One that is epochs
 * behind also asks for the certificates that end them.
 */
const GUEST_MESSAGES: ReadonlySet<PeerMessage['type']> = new Set([
  'get_block',
  'get_certificates',
  'get_finalized',
]);

/**
 * The agreement's network over the mesh. The mesh knows peers by identity, the agreement by index in the set of the
 * core's epoch. Future and former validators get indices above the set's.
 */
export class MeshNetwork implements Network {
  readonly #mesh: Mesh;
  readonly #chain: Pick<Chain, 'validatorsAt'>;
  #indexOf = new Map<string, number>();
  #identityAt = new Map<number, string>();
  #members = 0;
  #epoch: bigint | undefined;
  #listener: NetworkListener | undefined;

  constructor({ mesh, chain }: MeshNetworkOptions) {
    this.#mesh = mesh;
    this.#chain = chain;
    this.#handle('vote', (wire) => {
      const vote = voteFromWire(wire);
      return vote && { type: 'vote', vote };
    });
    this.#handle('proposal', ({ vote: wire, block }) => {
      const vote = voteFromWire(wire);
      return vote && { type: 'proposal', vote, block };
    });
    this.#handle('certificate', (wire) => {
      const certificate = certificateFromWire(wire);
      return certificate && { type: 'certificate', certificate };
    });
    this.#handle('get_block', ({ block_hash }) => ({ type: 'get_block', hash: toHex(block_hash) }));
    this.#handle('block', ({ block_hash, block }) => ({ type: 'block', hash: toHex(block_hash), block }));
    this.#handle('get_certificates', (wire) => {
      const [epoch, fromView, toView] = [wire.epoch, wire.from_view, wire.to_view].map(safe);
      if (epoch === undefined || fromView === undefined || toView === undefined) return undefined;
      return { type: 'get_certificates', epoch, fromView, toView };
    });
    this.#handle('get_finalized', ({ from_height, count }) => {
      const fromHeight = safe(from_height);
      return fromHeight === undefined ? undefined : { type: 'get_finalized', fromHeight, count };
    });
    this.#handle('finalized', (wire) => {
      const fromHeight = safe(wire.from_height);
      if (fromHeight === undefined) return undefined;
      const blocks = wire.blocks.map(({ block, certificate }) => ({
        block,
        certificate: certificate && certificateFromWire(certificate),
      }));
      return { type: 'finalized', fromHeight, blocks };
    });
    mesh.onConnected(({ identity }) => this.#notify(identity, 'onPeerConnected'));
    mesh.onDisconnected(({ identity }) => this.#notify(identity, 'onPeerDisconnected'));
  }

  /** Sets the listener; earlier messages are dropped. */
  listen(listener: NetworkListener): void {
    this.#listener = listener;
  }

  connected(): readonly number[] {
    return this.#mesh
      .peers()
      .filter(({ connected }) => connected)
      .flatMap(({ identity }) => {
        const index = this.#indexOf.get(identity);
        return index !== undefined && index < this.#members ? [index] : [];
      });
  }

  send(to: number, message: PeerMessage): void {
    const identity = this.#identityAt.get(to);
    if (identity !== undefined) transmit(message, (kind, value) => this.#mesh.send(identity, kind, value));
  }

  broadcast(message: PeerMessage): void {
    transmit(message, (kind, value) => this.#mesh.broadcast(kind, value));
  }

  drop(peer: number, reason: string): void {
    const identity = this.#identityAt.get(peer);
    if (identity !== undefined) this.#mesh.drop(identity, reason);
  }

  enterEpoch(epoch: number): (former: number) => number | undefined {
    const before = this.#identityAt;
    const { validators = [] } = this.#chain.validatorsAt(BigInt(epoch)) ?? {};
    this.#members = validators.length;
    this.#epoch = BigInt(epoch);
    this.#indexOf = new Map(validators.map(({ identity_key, index }) => [toHex(identity_key), index]));
    this.#identityAt = new Map([...this.#indexOf].map(([identity, index]) => [index, identity]));
    const now = new Map(this.#indexOf);
    return (former) => {
      const identity = before.get(former);
      return identity === undefined ? undefined : now.get(identity);
    };
  }

  /** Sends a partial key to a validator of the epoch, or to all. */
  sendShare(share: SealShare, to: number | undefined): void {
    if (to === undefined) this.#mesh.broadcast('seal_share', share);
    else {
      const identity = this.#identityAt.get(to);
      if (identity !== undefined) this.#mesh.send(identity, 'seal_share', share);
    }
  }

  /** Registers a listener for partial keys from the epoch's validators. */
  onShare(listener: (from: number, share: SealShare) => void): void {
    this.#mesh.on('seal_share', ({ identity }, share) => {
      // The sender may have another index in another epoch.
      if (share.epoch !== this.#epoch) return;
      const index = this.#indexOf.get(identity);
      if (index !== undefined && index < this.#members) listener(index, share);
    });
  }

  peers(): readonly PeerHealth[] {
    return this.#mesh.peers().flatMap(({ identity, address, connected, rttMs, lastSeenMs }) => {
      const index = this.#indexOf.get(identity);
      if (index === undefined || index >= this.#members) return [];
      return [
        {
          index,
          address,
          connected,
          ...(rttMs === undefined ? {} : { rtt_ms: Math.round(rttMs) }),
          ...(lastSeenMs === undefined ? {} : { last_seen_ms: BigInt(Math.round(lastSeenMs)) }),
        },
      ];
    });
  }

  /** @param read returns undefined for values that are not protocol messages */
  #handle<K extends MessageKind>(kind: K, read: (value: FrameValues[K]) => PeerMessage | undefined): void {
    this.#mesh.on(kind, (peer, value) => {
      const message = read(value);
      if (message === undefined) this.#mesh.drop(peer.identity, `a ${kind} with numbers out of range`);
      else this.#receive(peer, message);
    });
  }

  #receive({ identity }: MeshPeer, message: PeerMessage): void {
    const index = this.#indexOf.get(identity);
    if (index !== undefined && index < this.#members) {
      this.#listener?.receive(index, message);
    } else if (GUEST_MESSAGES.has(message.type) && this.#members > 0) {
      this.#listener?.receive(index ?? this.#assignGuestIndex(identity), message);
    }
  }

  /** Assigns a guest an index for the epoch; the mesh limits the number of guests. */
  #assignGuestIndex(identity: string): number {
    const index = this.#identityAt.size;
    this.#indexOf.set(identity, index);
    this.#identityAt.set(index, identity);
    return index;
  }

  #notify(identity: string, what: 'onPeerConnected' | 'onPeerDisconnected'): void {
    const index = this.#indexOf.get(identity);
    if (index !== undefined && index < this.#members) this.#listener?.[what](index);
  }
}

type Transmit = <K extends MessageKind>(kind: K, value: FrameValues[K]) => void;

function transmit(message: PeerMessage, send: Transmit): unknown {
  switch (message.type) {
    case 'vote':
      return send('vote', voteToWire(message.vote));
    case 'proposal':
      return send('proposal', { vote: voteToWire(message.vote), block: message.block });
    case 'certificate':
      return send('certificate', certificateToWire(message.certificate));
    case 'get_block':
      return send('get_block', { block_hash: hashBytes(message.hash) });
    case 'block': {
      const { hash, block } = message;
      return send('block', { block_hash: hashBytes(hash), ...(block === undefined ? {} : { block }) });
    }
    case 'get_certificates':
      return send('get_certificates', {
        epoch: BigInt(message.epoch),
        from_view: BigInt(message.fromView),
        to_view: BigInt(message.toView),
      });
    case 'get_finalized':
      return send('get_finalized', { from_height: BigInt(message.fromHeight), count: message.count });
    case 'finalized':
      return send('finalized', {
        from_height: BigInt(message.fromHeight),
        blocks: message.blocks.map(({ block, certificate }) => ({
          block,
          ...(certificate === undefined ? {} : { certificate: certificateToWire(certificate) }),
        })),
      });
  }
}

function safe(value: bigint): number | undefined {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined;
}
