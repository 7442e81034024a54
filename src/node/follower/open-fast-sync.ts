import type { Config } from '../../config/config.js';
import { loadBls } from '../../crypto/load-bls.js';
import type { Logger } from '../../log.js';
import { writeTree } from '../../proofs/write-tree.js';
import { FastSync } from '../../sync/follow/fast-sync.js';
import type { SourceSet } from '../../sync/follow/source-set.js';
import type { NodeBase } from '../open-base.js';
import { startProofs } from '../open-proofs.js';
import type { TrustAnchor } from './trust-anchor.js';

/** Opens fast sync, which brings a follower's empty store to a checkpoint. */
export async function openFastSync(options: {
  readonly config: Config;
  readonly base: NodeBase;
  readonly sources: SourceSet;
  readonly trust: TrustAnchor;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): Promise<FastSync> {
  const { config, base, sources, trust, log, now } = options;
  const { crypto, store } = base;
  const bls = await loadBls(config.native);
  return new FastSync({
    store,
    hashes: crypto,
    sources,
    trust:
      trust.genesis === undefined
        ? { type: 'key', groupPublicKey: trust.groupPublicKey }
        : { type: 'genesis', genesis: trust.genesis },
    verifySignature: (publicKey, message, signature) => bls.verify(signature, message, publicKey),
    buildTree: async (tip) => {
      const proofs = await startProofs({ config, log, onFailure: () => undefined }, store, tip);
      await writeTree(store, await proofs.stop());
    },
    log,
    now,
  });
}
