import type { Certificate, CoreEvent, EffectOf } from '../core/types.js';
import { GENESIS, type SimBlock } from './model.js';
import type { SimChain } from './sim-chain.js';
import type { SimPartOptions } from './sim-effect-queue.js';

/** Maximum milliseconds that a timestamp may be ahead of the local clock (rule 8). */
const EARLY_MS = 2_000;
const RETRY_MS = 100;
const SYNC_BLOCKS_MS = 100;

export interface SimBlockWorkOptions extends SimPartOptions {
  readonly chain: SimChain;
  readonly step: (event: CoreEvent) => void;
}

/** A validator's modelled chain: builds, verifies, commits and fetches blocks for the core. */
export class SimBlockWork {
  readonly #options: SimBlockWorkOptions;

  constructor(options: SimBlockWorkOptions) {
    this.#options = options;
  }

  propose({ parentHash, parentHeight, epoch, view, allowEmpty }: EffectOf<'propose'>): void {
    const { world, index, chain, step } = this.#options;
    const parent = world.blocks.get(parentHash) ?? GENESIS;
    const transactions = [...chain.pool];
    if (!allowEmpty && transactions.length === 0 && world.scenario.work !== 'busy') {
      step({ nowMs: world.nowMs, type: 'not_proposed', epoch, view });
      return;
    }
    const block = world.build({
      parentHash,
      height: parentHeight + 1,
      epoch,
      view,
      proposer: index,
      timestampMs: Math.max(parent.timestampMs + 1, this.#clockMs),
      transactions,
      valid: true,
    });
    chain.hold(block);
    chain.noteVerified(block.hash);
    step({ nowMs: world.nowMs, type: 'proposed', block });
  }

  verify({ block: { hash, parentHash }, notarized }: EffectOf<'verify'>): void {
    const { world, chain, step } = this.#options;
    const { scenario, random, isStable, options, nowMs } = world;
    const block = chain.held(hash);
    if (block === undefined || !chain.isVerified(parentHash)) {
      // The block or its parent has been dropped in the meantime.
      step({ nowMs, type: 'verdict', hash, verdict: 'withheld', retryMs: RETRY_MS });
      return;
    }
    const early = !notarized && block.timestampMs > this.#clockMs + EARLY_MS;
    if (early && options.behavior.earlyBlock === 'invalid') {
      step({ nowMs, type: 'verdict', hash, verdict: 'invalid' });
    } else if (early || (!isStable && random.chance(scenario.withholding))) {
      step({ nowMs, type: 'verdict', hash, verdict: 'withheld', retryMs: RETRY_MS });
    } else {
      if (block.valid) chain.noteVerified(hash);
      step({ nowMs, type: 'verdict', hash, verdict: block.valid ? 'valid' : 'invalid' });
    }
  }

  commit({ hashes, certificate }: EffectOf<'commit'>): void {
    const { world, index, chain, step, interrupt } = this.#options;
    const { random, scenario, isStable } = world;
    chain.finalization = certificate;
    const stopsAfter =
      !isStable && random.chance(scenario.badTimesCrash) ? random.below(hashes.length) : undefined;
    for (const [i, hash] of hashes.entries()) {
      const block = chain.held(hash);
      if (block === undefined) {
        world.checks.fail('safety', `validator ${index} has no bytes of ${hash}`, world.nowMs);
        return;
      }
      this.#append(block, certificate);
      if (i === stopsAfter) {
        interrupt();
        return;
      }
    }
    world.noteEpochEnd(chain.tip, certificate);
    const last = hashes.at(-1);
    if (last !== undefined) step({ nowMs: world.nowMs, type: 'committed', hash: last });
    this.offerWork();
  }

  /** Fetches committed blocks from another node after a delay, like a follower. */
  catchUp(certificate: Certificate): void {
    this.#options.later(SYNC_BLOCKS_MS, () => this.#catchUp(certificate));
  }

  /** Reports whether transactions wait for a block. */
  offerWork(): void {
    const { world, chain, step } = this.#options;
    const transactions = world.scenario.work === 'busy' || chain.pool.size > 0;
    step({ nowMs: world.nowMs, type: 'work', work: { transactions, other: false } });
  }

  get #clockMs(): number {
    const { world, index } = this.#options;
    return 10_000 + world.nowMs + (world.scenario.skewsMs[index] ?? 0);
  }

  #append(block: SimBlock, certificate: Certificate): void {
    const { world, index, chain, isHonest } = this.#options;
    world.trace(() => `${index} commits ${block.hash} at ${block.height}`);
    if (isHonest()) world.checks.noteCommit(index, block, chain.tip, certificate, world.nowMs);
    chain.append(block);
    world.hasProgress = true;
  }

  #catchUp(certificate: Certificate): void {
    const { world, index, chain, step } = this.#options;
    const final = world.blocks.get(certificate.hash);
    const source = world.hosts
      .flat()
      .find(
        (host) =>
          host.honest &&
          host.alive &&
          final !== undefined &&
          host.blockAt(final.height) === final &&
          world.connects(index, host.index),
      );
    if (source === undefined || final === undefined) {
      this.catchUp(certificate);
      return;
    }
    while (chain.height < final.height) {
      const block = source.blockAt(chain.height + 1);
      if (block === undefined) break;
      this.#append(block, certificate);
    }
    chain.finalization = certificate;
    step({ nowMs: world.nowMs, type: 'synced', committed: chain.tip, finalization: certificate });
    this.offerWork();
  }
}
