import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sameBytes } from '../../../src/base/same-bytes.js';
import { readIdentityFile } from '../../../src/consensus/files/identity-file.js';
import { readPeersFile } from '../../../src/consensus/files/peers-file.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import type { FinalBlock, PeerMessage } from '../../../src/consensus/shell/ports.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { ValidatorSet } from '../../../src/generated/ledger.js';
import { parseEndpoint } from '../../../src/network/endpoint.js';
import { Mesh } from '../../../src/network/mesh.js';
import { MeshNetwork } from '../../../src/node/validator/mesh-network.js';
import type { ValidatorNet } from './validator-net.js';

const NOTHING = () => undefined;
const LOG = { debug: NOTHING, info: NOTHING, warn: NOTHING, error: NOTHING };
/** Pause between requests to an honest validator. */
const RETRY_MS = 300;

/** A faulty validator's treatment of final blocks. */
export interface Throttling {
  /** Delay of each answer. */
  readonly delayMs: number;
  /** The subset of the requested blocks that it sends. */
  readonly give: (blocks: readonly FinalBlock[]) => readonly FinalBlock[];
}

/**
 * A faulty validator that replaces a stopped validator of a net: it uses the stopped one's key, casts no votes, and
 * serves final blocks from another validator as configured.
 */
export class ThrottlingValidator {
  readonly #mesh: Mesh;
  readonly #network: MeshNetwork;
  readonly #blocks: FinalBlock[] = [];
  readonly #throttling: Throttling;
  /** Requests for final blocks by sender. */
  readonly requests = new Map<number, number>();

  private constructor(mesh: Mesh, network: MeshNetwork, throttling: Throttling) {
    this.#mesh = mesh;
    this.#network = network;
    this.#throttling = throttling;
  }

  /** @param index of the validator that it replaces */
  static async start(net: ValidatorNet, index: number, throttling: Throttling): Promise<ThrottlingValidator> {
    const crypto = await loadCrypto('auto');
    const paths = validatorPaths(net.directory(index));
    const { seed, publicKey } = await readIdentityFile(crypto, paths.identity);
    const files = readPeersFile(paths.peers);
    const { chain_id: chainId, validator_set: set } = await net.client(other(net, index)).status();
    const chain = await genesisHash(net, other(net, index));
    const endpoints = files.map(({ identity_key: identityKey, endpoint }, place) => ({
      identityKey,
      index: place,
      endpoint: parseEndpoint(endpoint),
    }));
    const mesh = new Mesh({
      identitySeed: seed,
      chainId,
      chain,
      listen: endpoints[index]?.endpoint ?? assert.fail('no such validator'),
      peers: endpoints.filter(({ identityKey }) => !sameBytes(identityKey, publicKey)),
      ed25519: crypto.ed25519,
      log: LOG,
    });
    const network = new MeshNetwork({ mesh, chain: { validatorsAt: () => set as ValidatorSet } });
    network.enterEpoch(Number(set.epoch));
    const validator = new ThrottlingValidator(mesh, network, throttling);
    network.listen({
      receive: (from, message) => validator.#receive(from, message),
      onPeerConnected: NOTHING,
      onPeerDisconnected: NOTHING,
    });
    await mesh.start();
    return validator;
  }

  /** Fetches the final blocks up to a height from another validator. */
  async fetch(from: number, height: number): Promise<void> {
    while (this.#blocks.length < height) {
      const fromHeight = this.#blocks.length + 1;
      this.#network.send(from, { type: 'get_finalized', fromHeight, count: 256 });
      await sleep(RETRY_MS);
    }
  }

  async stop(): Promise<void> {
    await this.#mesh.stop();
  }

  #receive(from: number, message: PeerMessage): void {
    if (message.type === 'finalized' && message.fromHeight === this.#blocks.length + 1) {
      this.#blocks.push(...message.blocks);
    }
    if (message.type !== 'get_finalized') return;
    const { fromHeight, count } = message;
    this.requests.set(from, (this.requests.get(from) ?? 0) + 1);
    setTimeout(() => {
      const asked = this.#blocks.slice(fromHeight - 1, fromHeight - 1 + count);
      const blocks = this.#throttling.give(asked);
      this.#network.send(from, { type: 'finalized', fromHeight, blocks });
    }, this.#throttling.delayMs).unref();
  }
}

function other(net: ValidatorNet, index: number): number {
  return net.running.find((each) => each !== index) ?? assert.fail('no other validator runs');
}

async function genesisHash(net: ValidatorNet, index: number): Promise<Uint8Array> {
  const { blocks } = await net.client(index).get_blocks({ from_height: 0n, to_height: 1n });
  return blocks[1]?.header.parent_hash ?? assert.fail('there is no block 1');
}
