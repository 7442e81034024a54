import type { Config } from '../../config/config.js';
import { writePeersFile } from '../../consensus/files/peers-file.js';
import { toHex } from '../../idl/hex.js';
import type { Logger } from '../../log.js';
import { Mesh } from '../../network/mesh.js';
import type { MeshCounts } from '../../network/mesh-counts.js';
import type { NodeCore } from '../core/open-core.js';
import type { Teardown } from '../teardown.js';
import { MeshMembers } from './mesh-members.js';
import { MeshNetwork } from './mesh-network.js';
import { configuredEndpoints, listenEndpoint } from './own-endpoint.js';
import { TransactionGossip } from './transaction-gossip.js';
import type { ValidatorFiles } from './validator-files.js';

export interface OpenMeshOptions {
  readonly config: Config;
  readonly core: NodeCore;
  readonly log: Logger;
  readonly teardown: Teardown;
  /** Adds the mesh's counters to the metrics. */
  readonly showCounts: (counts: MeshCounts) => void;
}

/** The mesh of validators, for agreement and for transactions. */
export interface ValidatorMesh {
  readonly mesh: Mesh;
  readonly members: MeshMembers;
  readonly network: MeshNetwork;
}

/** Builds the mesh and subscribes it to chain and pool; it does not connect yet. @throws ConfigError */
export function openMesh(options: OpenMeshOptions, files: ValidatorFiles): ValidatorMesh {
  const { config, core, log, teardown } = options;
  const { crypto } = core.base;
  const { chain } = core.chainState;
  const { pool, admission } = core.mempool;
  const { identity, paths } = files;
  const members = new MeshMembers({
    chain,
    ownIdentity: toHex(identity.publicKey),
    known: files.peers,
    given: configuredEndpoints(config, chain.tip.epochs.validators),
    onLearned: (peers) => {
      writePeersFile(paths.peers, peers).catch((error: unknown) =>
        log.warn({ err: error }, 'could not store the endpoint of an admitted validator'),
      );
    },
  });
  const mesh = new Mesh({
    identitySeed: identity.seed,
    chainId: chain.genesis.chain_id,
    chain: chain.genesisHash,
    listen: listenEndpoint(config, files.peers, identity.publicKey),
    peers: members.allowed(),
    ed25519: crypto.ed25519,
    log,
  });
  options.showCounts(mesh.counts);
  teardown.add(() => mesh.stop());
  teardown.add(() => members.stop());
  const gossip = new TransactionGossip({ mesh, admission, pool, crypto, log });
  core.mempool.onAdmitted((transactions) => gossip.admitted(transactions));
  chain.onCommit('validators', () => members.onCommitted());
  return { mesh, members, network: new MeshNetwork({ mesh, chain }) };
}
