import { toError } from '../../base/errors.js';
import { loadBls } from '../../crypto/load-bls.js';
import { readGenesis, readTip } from '../../ledger/chain-meta.js';
import { watchFollower } from '../../rpc/metrics/follow-metrics.js';
import { FastSync } from '../../sync/follow/fast-sync.js';
import { openSources } from '../../sync/follow/source-set.js';
import { removeImport } from '../../sync/import-record.js';
import { buildTree } from '../core/open-chain-state.js';
import { LateServices } from '../late-services.js';
import type { NodeContext, RunningServices, Upstream } from '../node-context.js';
import { openParts } from '../open-parts.js';
import { Teardown } from '../teardown.js';
import { followedGenesis, trustOf } from './trust-anchor.js';

/** Opens a follower, with its stored chain or with an empty store. */
export async function openFollowing(context: NodeContext): Promise<RunningServices> {
  const { config, log, base, now, fail, teardown } = context;
  const trust = await trustOf(config, base.crypto, base.store);
  const stored = followedGenesis(trust, base, config.dataDir);
  const sources = openSources({
    urls: config.follow,
    pollMs: config.followPollMs,
    groupPublicKey: trust.groupPublicKey,
    chainId: (stored ?? trust.genesis)?.chain_id,
    log,
    now,
    random: Math.random,
    onFailure: fail,
  });
  const upstream = { sources, trust };
  watchFollower(context.metrics.registry, {
    height: () => readTip(base.store)?.height ?? 0n,
    bestKnownHeight: () => sources.bestKnownHeight,
    sources: () => sources.sources,
  });
  sources.start();
  teardown.add(() => sources.stop());
  if (stored !== undefined) return openParts(context, stored, upstream);
  if (trust.genesis !== undefined && config.syncFrom === 'genesis') {
    await removeImport(base.store);
    return openParts(context, trust.genesis, upstream);
  }
  return beginFollowing(context, upstream);
}

/** Answers `not_ready` while the node obtains a state, then serves that state. */
async function beginFollowing(context: NodeContext, upstream: Upstream): Promise<RunningServices> {
  const { sources, trust } = upstream;
  const fastSync = await openFastSync(context, upstream);
  const services = new LateServices(
    context,
    () => ({
      reasons: [fastSync.activity, ...sources.problems],
      stalled: sources.ranked().length === 0,
      bestKnownHeight: sources.bestKnownHeight,
      peers: sources.peers(0n),
    }),
    {
      chainId: trust.genesis?.chain_id,
      sealNow: () => Promise.reject(new Error('a follower seals no blocks')),
    },
  );
  const opened = new Teardown();
  const begin = async () => {
    await fastSync.run();
    const genesis = readGenesis(context.base.store) ?? trust.genesis;
    if (genesis === undefined) throw new Error('a snapshot was imported, but the store has no genesis');
    await services.serve(await openParts({ ...context, teardown: opened }, genesis, upstream));
  };
  let begun: Promise<void> | undefined;
  context.teardown.add(async () => {
    await sources.stop();
    await begun;
    await opened.run();
  });
  services.start = async () => {
    begun = begin().catch((error: unknown) => {
      if (sources.signal.aborted) return;
      context.fail(toError(error));
    });
  };
  return services;
}

/** Opens fast sync, which brings a follower's empty store to a checkpoint. */
async function openFastSync(
  { config, base: { crypto, store }, log, now }: NodeContext,
  { sources, trust }: Upstream,
): Promise<FastSync> {
  const bls = await loadBls(config.native);
  return new FastSync({
    store,
    hashes: crypto,
    sources,
    log,
    now,
    trust:
      trust.genesis === undefined
        ? { type: 'key', groupPublicKey: trust.groupPublicKey }
        : { type: 'genesis', genesis: trust.genesis },
    verifySignature: (publicKey, message, signature) => bls.verify(signature, message, publicKey),
    buildTree: (tip) => buildTree({ config, log }, store, tip),
  });
}
