import { EventEmitter } from 'node:events';
import { NODE_RUNTIME } from '../../async/runtime.js';
import type { GatheredChange } from '../../chain/epochs/pending-changes.js';
import { writeEncryptionFile } from '../../consensus/files/encryption-file.js';
import { writePeersFile } from '../../consensus/files/peers-file.js';
import { resharingRecordFile } from '../../consensus/files/record-file.js';
import { writeShareFile } from '../../consensus/files/share-file.js';
import { EncryptionKeeper } from '../../consensus/resharing/encryption-keeper.js';
import { Resharing } from '../../consensus/resharing/resharing.js';
import { ShareKeeper } from '../../consensus/resharing/share-keeper.js';
import type { SealKeys, UnopenedHeights } from '../../consensus/seal-keys.js';
import { EvidenceStore } from '../../consensus/shell/evidence-store.js';
import type { ShellOptions } from '../../consensus/shell/shell-context.js';
import { ThresholdSignatures } from '../../consensus/shell/threshold-signatures.js';
import { VoteJournal } from '../../consensus/shell/vote-journal.js';
import { ThresholdSealKeys } from '../../consensus/threshold-seal-keys.js';
import { loadBls } from '../../crypto/load-bls.js';
import { SignatureService } from '../../crypto/threshold/signature-service.js';
import { toHex } from '../../idl/hex.js';
import { Mesh } from '../../network/mesh.js';
import { watchMesh } from '../../rpc/metrics/mesh-metrics.js';
import type { NodeCore } from '../core/open-core.js';
import type { NodeContext } from '../node-context.js';
import { ChangeApprovals } from './change-approvals.js';
import { EpochKeys } from './epoch-keys.js';
import { MeshMembers } from './mesh-members.js';
import { MeshNetwork, type NetworkListener } from './mesh-network.js';
import { configuredEndpoints, listenEndpoint } from './own-endpoint.js';
import { TransactionGossip } from './transaction-gossip.js';
import { expectOwnShare, readValidatorFiles, type ValidatorFiles } from './validator-files.js';

/** The services that agreement among several validators needs beside the chain. */
export interface ValidatorServices {
  readonly shell: Pick<
    ShellOptions,
    'signatures' | 'network' | 'epochs' | 'journal' | 'evidence' | 'parts' | 'hasOtherWork'
  >;
  gatheredChanges(): readonly GatheredChange[];
  /** Starts gathering partial keys for the chain's sealed transactions. */
  join(chain: UnopenedHeights): JoinedValidator;
}

export interface JoinedValidator {
  /** Keys of heights, combined from the validators' partial keys. */
  readonly sealKeys: SealKeys;
  /** Delivers the other validators' messages to the agreement, and connects. @throws MeshError `listen_failed` */
  connect(listener: NetworkListener & { onOtherWork(): void }): Promise<void>;
}

/**
 * Opens keys, journal and mesh of one of several validators; the mesh does not connect yet.
 * @param directory the validator's, as `heddle init` makes it
 * @throws SecretFileError, PublicFileError, PassphraseError, ConfigError, JournalError, SignatureServiceError,
 * StoreError
 */
export async function openValidatorServices(
  context: NodeContext,
  core: NodeCore,
  directory: string,
): Promise<ValidatorServices> {
  const { config, log, report, teardown, fail } = context;
  const { crypto, store, chain } = core;
  const bls = await loadBls(config.native);
  const files = await readValidatorFiles(config, directory, { crypto, bls });
  const { identity, paths, passphrase } = files;
  expectOwnShare(bls, files, files.share && chain.validatorsAt(files.share.epoch));
  if (!chain.tip.epochs.parameters.ceremony) {
    log.warn('a dealer made the group key and may know it; this chain admits no further validators');
  }
  const journal = await VoteJournal.open(store, NODE_RUNTIME);
  const shares = await ShareKeeper.open({
    share: files.share,
    journalId: journal.id,
    write: (share) => writeShareFile(paths.share, share, passphrase),
  });
  const signer = await SignatureService.start({ native: config.native, report, onFailure: fail });
  teardown.add(() => signer.stop());
  const validatorMesh = openMesh(context, core, files);
  const { mesh, network } = validatorMesh;
  const events: ValidatorEvents = new EventEmitter();
  const onWork = () => void events.emit('work');
  const shared = { ...core, identity, mesh, log, onWork };
  const approvals = new ChangeApprovals({ ...shared, path: paths.approvals });
  teardown.add(() => approvals.stop());
  const resharing = await Resharing.open({
    ...shared,
    shares,
    runtime: NODE_RUNTIME,
    curve: { bls, workers: core.workers.blocks },
    checks: core.itemChecks,
    encryption: new EncryptionKeeper(files.encryptionKeys, (keys) =>
      writeEncryptionFile(paths.encryption, keys, passphrase),
    ),
    record: resharingRecordFile(paths.resharing, passphrase),
  });
  teardown.add(() => resharing.stop());
  const epochs = new EpochKeys({
    chain,
    signer,
    log,
    identityKey: identity.publicKey,
    shareOf: async (epoch) => {
      await resharing.settled;
      return shares.of(epoch);
    },
    journalId: journal.id,
  });
  const signatures = new ThresholdSignatures({
    crypto,
    signer,
    chainId: chain.genesis.chain_id,
    identitySeed: identity.seed,
    validatorsAt: (epoch) => chain.validatorsAt(epoch),
    indexIn: (epoch) => epochs.indexIn(epoch),
  });
  const evidence = new EvidenceStore(store, (epoch, signer) => {
    const validator = chain.validatorsAt(epoch)?.validators[signer];
    return validator && toHex(validator.identity_key);
  });
  const waiting = () => ({ ...resharing.waiting, changes: approvals.waiting });
  return {
    shell: {
      signatures,
      network,
      epochs,
      journal,
      evidence,
      parts: () => ({ items: waiting() }),
      hasOtherWork: () => {
        const { dealings, changes, complaints } = waiting();
        return dealings.length + changes.length + complaints.length > 0;
      },
    },
    gatheredChanges: () => approvals.gathered,
    join: (unopened) => join(context, core, { ...validatorMesh, epochs, signer, events }, unopened),
  };
}

/** The mesh of validators, for agreement and for transactions. */
interface ValidatorMesh {
  readonly mesh: Mesh;
  readonly members: MeshMembers;
  readonly network: MeshNetwork;
}

/** Builds the mesh and subscribes it to chain and pool; it does not connect yet. @throws ConfigError */
function openMesh(
  { config, log, teardown, metrics }: NodeContext,
  core: NodeCore,
  files: ValidatorFiles,
): ValidatorMesh {
  const { crypto, chain } = core;
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
  watchMesh(metrics.registry, mesh.counts);
  teardown.add(() => mesh.stop());
  teardown.add(() => members.stop());
  const { maxBundleTransactions } = config;
  const gossip = new TransactionGossip({ ...core, mesh, maxBundleTransactions, log });
  core.onAdmitted((transactions) => gossip.admitted(transactions));
  core.onBundle((bundle) => gossip.bundleAdmitted(bundle));
  chain.onCommit('validators', () => members.onCommitted());
  return { mesh, members, network: new MeshNetwork({ mesh, chain }) };
}

/** `work`: the next block may have new content. */
type ValidatorEvents = EventEmitter<{ work: [] }>;

function join(
  { log, teardown }: NodeContext,
  { chain }: NodeCore,
  { mesh, members, network, epochs, signer, events }: JoinParts,
  unopened: UnopenedHeights,
): JoinedValidator {
  const sealKeys = new ThresholdSealKeys({
    runtime: NODE_RUNTIME,
    chainId: chain.genesis.chain_id,
    chain: { unopenedHeights: () => unopened.unopenedHeights(), tipHeight: () => chain.tip.header.height },
    signer,
    epoch: () => epochs.sealing(chain.tip.epochs.validators),
    send: (share, to) => network.sendShare(share, to),
    drop: (peer, reason) => network.drop(peer, reason),
    onKey: () => events.emit('work'),
    log,
  });
  network.onShare((from, share) => sealKeys.receive(from, share));
  mesh.onConnected(({ index }) => index !== undefined && sealKeys.onPeerConnected(index));
  teardown.add(() => sealKeys.stop());
  return {
    sealKeys,
    async connect(listener) {
      network.listen(listener);
      events.on('work', () => listener.onOtherWork());
      await mesh.start();
      members.attach(mesh);
      sealKeys.start();
      log.info({ p2p: mesh.endpoint, identity: mesh.identity }, 'listening for the other validators');
    },
  };
}

interface JoinParts extends ValidatorMesh {
  readonly epochs: EpochKeys;
  readonly signer: SignatureService;
  readonly events: ValidatorEvents;
}
