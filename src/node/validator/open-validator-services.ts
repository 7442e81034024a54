import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.js';
import type { NativeReport } from '../../config/native-mode.js';
import { writePeersFile } from '../../consensus/files/peers-file.js';
import type { SealKeys, UnopenedHeights } from '../../consensus/seal-keys.js';
import { EvidenceStore } from '../../consensus/shell/evidence.js';
import type { ShellOptions } from '../../consensus/shell/shell.js';
import { ThresholdSignatures } from '../../consensus/shell/threshold-signatures.js';
import { VoteJournal } from '../../consensus/shell/vote-journal.js';
import { ThresholdSealKeys } from '../../consensus/threshold-seal-keys.js';
import { loadBls } from '../../crypto/load-bls.js';
import { SignatureService } from '../../crypto/threshold/signature-service.js';
import { toHex } from '../../idl/hex.js';
import type { Logger } from '../../log.js';
import { Mesh } from '../../network/mesh.js';
import type { MeshCounts } from '../../network/mesh-counts.js';
import type { NodeCore } from '../core.js';
import type { Teardown } from '../teardown.js';
import { ChangeApprovals } from './change-approvals.js';
import { EpochKeys } from './epoch-keys.js';
import { MeshMembers } from './mesh-members.js';
import { MeshNetwork, type NetworkListener } from './mesh-network.js';
import { configuredEndpoints, listenEndpoint } from './own-endpoint.js';
import { Resharing } from './resharing.js';
import { ShareKeeper } from './share-keeper.js';
import { TransactionGossip } from './transaction-gossip.js';
import { readValidatorFiles } from './validator-files.js';

export interface OpenValidatorServicesOptions {
  readonly config: Config;
  /** Of the validator. */
  readonly directory: string;
  readonly core: NodeCore;
  readonly log: Logger;
  readonly report: NativeReport;
  readonly teardown: Teardown;
  /** Told when the node cannot go on. */
  readonly onFailure: (error: Error) => void;
  /** Shows what the mesh counts. */
  readonly showCounts: (counts: MeshCounts) => void;
}

/** What one of several validators has beside its chain. */
export interface ValidatorServices {
  /** What its agreement is built with. */
  readonly shell: Pick<
    ShellOptions,
    'signatures' | 'network' | 'epochs' | 'journal' | 'evidence' | 'parts' | 'hasOtherWork'
  >;
  /** The keys of heights, put together from the validators' parts. */
  sealKeys(chain: UnopenedHeights): SealKeys;
  /** Has the agreement hear of the others, and connects. @throws MeshError `listen_failed` */
  connect(listener: NetworkListener & { onOtherWork(): void }): Promise<void>;
}

/**
 * Opens keys, journal and mesh of one of several validators; it connects to nobody yet.
 * @throws SecretFileError, PublicFileError, PassphraseError, ConfigError, JournalError, SignatureServiceError, StoreError
 */
export async function openValidatorServices(
  options: OpenValidatorServicesOptions,
): Promise<ValidatorServices> {
  const { config, directory, core, log, report, teardown, onFailure } = options;
  const { chain, crypto, store, pool, admission } = core;
  const files = await readValidatorFiles(config, directory, crypto);
  const { identity, paths, passphrase } = files;
  const journal = await VoteJournal.open(store);
  const shares = await ShareKeeper.open({ files, journalId: journal.id });
  const signer = await SignatureService.start({ native: config.native, report, onFailure });
  teardown.add(() => signer.stop());
  const epochs = new EpochKeys({
    chain,
    signer,
    identityKey: identity.publicKey,
    shareOf: async (epoch) => {
      await resharing.settled;
      return shares.of(epoch);
    },
    journalId: journal.id,
    log,
  });
  const { genesis } = chain;
  const signatures = new ThresholdSignatures({
    crypto,
    signer,
    chainId: genesis.chain_id,
    identitySeed: identity.seed,
    validatorsAt: (epoch) => chain.validatorsAt(epoch),
    indexIn: (epoch) => epochs.indexIn(epoch),
  });
  const members = new MeshMembers({
    chain,
    ownIdentity: toHex(identity.publicKey),
    known: files.peers,
    given: configuredEndpoints(config, chain.tip.epochs.validators),
    onLearned: (peers) => {
      writePeersFile(paths.peers, peers).catch((error: unknown) =>
        log.warn({ err: error }, 'the endpoint of an admitted validator could not be kept'),
      );
    },
  });
  const mesh = new Mesh({
    identitySeed: identity.seed,
    chainId: genesis.chain_id,
    chain: chain.genesisHash,
    listen: listenEndpoint(config, files.peers, identity.publicKey),
    peers: members.allowed(),
    ed25519: crypto.ed25519,
    log,
  });
  options.showCounts(mesh.counts);
  teardown.add(() => mesh.stop());
  teardown.add(() => members.stop());
  const network = new MeshNetwork({ mesh, chain });
  let sealing: ThresholdSealKeys | undefined;
  const gossip = new TransactionGossip({ mesh, admission, pool, crypto, log });
  core.onAdmitted((transactions) => gossip.admitted(transactions));
  chain.onCommit('validators', () => members.onCommitted());
  let onWork: () => void = () => undefined;
  const approvals = new ChangeApprovals({
    ...{ chain, crypto, identity, mesh, log },
    path: paths.approvals,
    onWork: () => onWork(),
  });
  teardown.add(() => approvals.stop());
  const resharing = await Resharing.open({
    ...{ chain, store, blocks: core.blocks, crypto, identity, shares, mesh, log, passphrase },
    bls: await loadBls(config.native),
    random: (length) => Uint8Array.from(randomBytes(length)),
    workers: core.blockWorkers,
    path: paths.resharing,
    onWork: () => onWork(),
  });
  teardown.add(() => resharing.stop());
  const waiting = () => ({ dealings: resharing.waiting, changes: approvals.waiting });
  return {
    shell: {
      ...{ signatures, network, epochs, journal, evidence: new EvidenceStore(store) },
      parts: () => ({ items: waiting() }),
      hasOtherWork: () => {
        const { dealings, changes } = waiting();
        return dealings.length + changes.length > 0;
      },
    },
    sealKeys(unopened) {
      const keys = new ThresholdSealKeys({
        chainId: genesis.chain_id,
        chain: {
          unopenedHeights: () => unopened.unopenedHeights(),
          tipHeight: () => chain.tip.header.height,
        },
        signer,
        epoch: () => epochs.sealing(chain.tip.epochs.validators),
        send: (share, to) => network.sendShare(share, to),
        drop: (peer, reason) => network.drop(peer, reason),
        onKey: () => onWork(),
        log,
      });
      network.onShare((from, share) => keys.receive(from, share));
      mesh.onConnected(({ index }) => index !== undefined && keys.onPeerConnected(index));
      teardown.add(() => keys.stop());
      sealing = keys;
      return keys;
    },
    async connect(listener) {
      network.listen(listener);
      onWork = () => listener.onOtherWork();
      await mesh.start();
      members.attach(mesh);
      sealing?.start();
      log.info({ p2p: mesh.endpoint, identity: mesh.identity }, 'listening for the other validators');
    },
  };
}
