import { toError } from '../../base/errors.js';
import { readGenesis, readTip } from '../../ledger/chain-meta.js';
import { startupHandlers } from '../../rpc/methods/startup.js';
import { health } from '../../rpc/methods/status.js';
import { watchFollower } from '../../rpc/metrics/follow-metrics.js';
import { ReplaceableHandlers } from '../../rpc/replaceable-handlers.js';
import { openSources } from '../../sync/follow/open-sources.js';
import { removeImport } from '../../sync/follow/remove-import.js';
import type { NodeContext, OpenParts, RunningServices, Upstream } from '../node-context.js';
import { Teardown } from '../teardown.js';
import { openFastSync } from './open-fast-sync.js';
import { followedGenesis, trustOf } from './trust-anchor.js';

/** Opens a follower, with its stored chain or with an empty store. */
export async function openFollowing(
  context: NodeContext,
  openParts: OpenParts,
  teardown: Teardown,
): Promise<RunningServices> {
  const { config, log, base, now, fail } = context;
  const trust = trustOf(config, base.crypto);
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
  if (stored !== undefined) return openParts(context, stored, upstream, teardown);
  if (trust.genesis !== undefined && config.syncFrom === 'genesis') {
    await removeImport(base.store);
    return openParts(context, trust.genesis, upstream, teardown);
  }
  return beginFollowing(context, upstream, openParts, teardown);
}

/** Answers `not_ready` while the node gets a state, then serves that state. */
async function beginFollowing(
  context: NodeContext,
  upstream: Upstream,
  openParts: OpenParts,
  teardown: Teardown,
): Promise<RunningServices> {
  const { config, log, base, now, uptimeMs, fail } = context;
  const { sources, trust } = upstream;
  const fastSync = await openFastSync({ config, base, sources, trust, log, now });
  const replaceable = new ReplaceableHandlers(
    startupHandlers(
      () => ({
        reasons: [fastSync.activity, ...sources.problems],
        stalled: sources.ranked().length === 0,
        bestKnownHeight: sources.bestKnownHeight,
        peers: sources.peers(0n),
      }),
      () =>
        health({
          uptimeMs,
          eventLoopLagMs: context.eventLoopLagMs,
          sealingFailure: context.failureMessage,
        }),
    ),
  );
  let parts: RunningServices | undefined;
  const opened = new Teardown();
  const begin = async () => {
    await fastSync.run();
    const genesis = readGenesis(base.store) ?? trust.genesis;
    if (genesis === undefined) throw new Error('a snapshot was imported, but the store has no genesis');
    parts = await openParts(context, genesis, upstream, opened);
    replaceable.replaceWith(parts.handlers);
    parts.start();
  };
  let begun: Promise<void> | undefined;
  teardown.add(async () => {
    await sources.stop();
    await begun;
    await opened.run();
  });
  return {
    handlers: replaceable.handlers,
    start: () => {
      begun = begin().catch((error: unknown) => {
        if (sources.signal.aborted) return;
        fail(toError(error));
      });
    },
    releaseWaiters: () => parts?.releaseWaiters(),
    chain: () => ({
      chainId: trust.genesis?.chain_id,
      genesisHash: undefined,
      sealNow: () => Promise.reject(new Error('a follower seals no blocks')),
    }),
  };
}
