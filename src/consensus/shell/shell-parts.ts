import { createCore } from '../core.js';
import { BlockCommits } from './block-commits.js';
import { BlockProposals } from './block-proposals.js';
import { BlockVerifications } from './block-verifications.js';
import { CoreQueue } from './core-queue.js';
import { EffectPerformer } from './effect-performer.js';
import { EpochEntry } from './epoch-entry.js';
import { EpochStarts } from './epoch-starts.js';
import { FinalityMetrics } from './finality-metrics.js';
import { Inbox } from './inbox.js';
import { InvalidProposals } from './invalid-proposals.js';
import { KnownBlocks } from './known-blocks.js';
import { Lifecycle } from './lifecycle.js';
import { ListeningPhase } from './listening-phase.js';
import { ManualSealer } from './manual-sealer.js';
import { OwnProposal } from './own-proposal.js';
import { PeerHeights } from './peer-heights.js';
import { PeerRequestHandler } from './peer-request-handler.js';
import type { ChainBlock } from './ports.js';
import { SealedEnvelopes } from './sealed-envelopes.js';
import type { ShellContext } from './shell-context.js';
import type { ShellOptions } from './shell-options.js';
import { SolePause } from './sole-pause.js';
import { SyncStatus } from './sync-status.js';
import { Tasks } from './tasks.js';
import { tipAgeMs } from './tip-age.js';
import { Votes } from './votes.js';
import { WorkMonitor } from './work-monitor.js';

export type ShellParts<B extends ChainBlock> = ReturnType<typeof buildShell<B>>;

const NO_POOL = { hasReady: () => false, heldBackFee: () => undefined };

/**
 * Builds the shell's components, each after those that it uses. Only effects flow back: the core's queue gets the
 * component that performs them last.
 * @param onFailure called once if consensus ends by a failure
 */
export function buildShell<B extends ChainBlock>(
  options: ShellOptions<B>,
  onFailure: (reason: Error) => void,
) {
  const { runtime, config, rules, crypto, log } = options;

  // The core, and what the components share.
  const lifecycle = new Lifecycle(runtime, onFailure);
  const tasks = new Tasks({ lifecycle, log });
  const core = createCore(config, rules);
  const known = new KnownBlocks(crypto, runtime);
  const events = new CoreQueue({ ...options, core, known, lifecycle });
  const membership = new EpochStarts(options);
  const isSole = options.journal === undefined;
  const context: ShellContext<B> = {
    ...options,
    isSole,
    lifecycle,
    tasks,
    core,
    events,
    known,
    membership,
    clock: events.clock,
  };

  // Work, and the blocks that include it.
  const times = new FinalityMetrics(runtime.now);
  const manual = new ManualSealer();
  const envelopes = new SealedEnvelopes(context);
  const hasOtherWork = () => envelopes.areWaiting || options.hasOtherWork?.() === true;
  const work = new WorkMonitor({
    runtime,
    pool: options.isManual === true ? NO_POOL : options.pool,
    other: options.isManual === true ? () => manual.isRequested : hasOtherWork,
    urgent: () => manual.isRequested,
    isQuietWhenIdle: config.idleBlockTimeMs === 0,
    sinceBlockMs: () => times.sinceFinalMs ?? tipAgeMs(options),
    onWork: (work) => events.push({ type: 'work', work }),
  });
  const pause = new SolePause(context, work);
  const own = new OwnProposal(options);
  const invalid = new InvalidProposals();
  const verifications = new BlockVerifications(context, invalid);
  const commits = new BlockCommits(context, { manual, work, pause, own, times, envelopes, verifications });
  const proposals = new BlockProposals(context, { commits, manual, work, pause, own });

  // The other validators' messages, and answers to them.
  const votes = new Votes(context);
  const serving = new PeerRequestHandler(context);
  const heights = new PeerHeights((hash) => serving.heightOf(hash));
  const sync = new SyncStatus(context, { heights, commits });
  const listening = new ListeningPhase(context);
  const inbox = new Inbox(context, { serving, heights, sync, listening });
  for (const indexed of [inbox, heights, invalid])
    membership.onRenumbered((indexOf) => indexed.reindex(indexOf));

  // The core's effects.
  const epochs = new EpochEntry(context, { starts: membership, listening, inbox, envelopes, work, pause });
  const handlers = { votes, proposals, verifications, commits, inbox, serving, sync, epochs };
  const performer = new EffectPerformer(context, handlers);
  events.connect((effect) => performer.perform(effect));

  return {
    isSole,
    lifecycle,
    tasks,
    core,
    events,
    known,
    membership,
    times,
    manual,
    work,
    invalid,
    verifications,
    commits,
    proposals,
    votes,
    heights,
    sync,
    inbox,
    epochs,
  };
}
