import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Crypto } from '../../../src/crypto/crypto.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { type AllowedPeer, Mesh, type MeshOptions } from '../../../src/network/mesh.js';

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const CHAIN = new Uint8Array(32).fill(7);

/** Short pauses, so that tests run fast; the handshake limit keeps its real value unless a test overrides it. */
export const SHORT_PAUSES = { firstRedialMs: 20, maxRedialMs: 200, firstBanMs: 100 };

/** A validator's key, derived from its number. */
export function seedOf(number: number): Uint8Array {
  return new Uint8Array(32).fill(number + 1);
}

/** Waits for an expected event, however slow the machine is. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    assert.ok(performance.now() < deadline, `timed out: ${what}`);
    await sleep(5);
  }
}

/** Meshes of one process on loopback, on free ports; validator i has seed i. */
export class MeshWorld {
  readonly crypto: Crypto;
  readonly meshes: Mesh[] = [];

  private constructor(crypto: Crypto) {
    this.crypto = crypto;
  }

  static async open(): Promise<MeshWorld> {
    return new MeshWorld(await loadCrypto('auto'));
  }

  key(number: number): Uint8Array {
    return this.crypto.ed25519.publicKey(seedOf(number));
  }

  /** One mesh, not started. */
  mesh(number: number, options: Partial<MeshOptions> = {}): Mesh {
    const mesh = new Mesh({
      identitySeed: seedOf(number),
      chainId: 5n,
      chain: CHAIN,
      listen: { host: '127.0.0.1', port: 0 },
      peers: [],
      ed25519: this.crypto.ed25519,
      log: SILENT,
      ...options,
      timing: { ...SHORT_PAUSES, ...options.timing },
    });
    this.meshes.push(mesh);
    return mesh;
  }

  /** A started mesh without peers yet. */
  async started(number: number, options: Partial<MeshOptions> = {}): Promise<Mesh> {
    const mesh = this.mesh(number, options);
    await mesh.start();
    return mesh;
  }

  /** A mesh of the given index as a peer of others. */
  allowed(mesh: Mesh, index: number | undefined): AllowedPeer {
    return { identityKey: new Uint8Array(Buffer.from(mesh.identity, 'hex')), index, endpoint: mesh.endpoint };
  }

  /** Makes all meshes peers of each other; their order gives their indices. */
  introduce(meshes: readonly Mesh[]): void {
    const list = meshes.map((mesh, index) => this.allowed(mesh, index));
    for (const mesh of meshes) mesh.setPeers(list);
  }

  /** Creates `count` meshes, all connected with each other. */
  async connected(count: number, options: Partial<MeshOptions> = {}): Promise<Mesh[]> {
    const meshes: Mesh[] = [];
    for (let i = 0; i < count; i++) meshes.push(await this.started(i, options));
    this.introduce(meshes);
    for (const mesh of meshes) await allConnected(mesh);
    return meshes;
  }

  /** Waits for traffic in flight on loopback to arrive, to show that it has no effect. */
  async settle(): Promise<void> {
    await sleep(50);
  }

  async stop(): Promise<void> {
    await Promise.all(this.meshes.map((mesh) => mesh.stop()));
  }
}

/** Waits until a mesh is connected with all of its peers. */
export async function allConnected(mesh: Mesh): Promise<void> {
  await until('all are connected', () => mesh.peers().every(({ connected }) => connected));
}
