import { sameBytes } from '../../../../base/same-bytes.js';
import { type EpochItems, NO_EPOCH_ITEMS } from '../../../../chain/epochs/epoch-state.js';
import type { Dealing } from '../../../../generated/ledger.js';
import { toHex } from '../../../../idl/hex.js';
import { commitmentsDigest } from '../../../../ledger/validators/signed-messages.js';
import { maxFaulty } from '../../../core/rules.js';
import type { FinalBlock, FinalBlocks } from '../final-blocks.js';
import type { HostView } from '../resharing-model.js';
import type { ResharingWorld } from '../resharing-scenario.js';
import { RESHARING_CRYPTO } from '../sim-identities.js';
import { BlockChecks, type EndedEpoch, isGarbageTo } from './block-checks.js';
import { epochContexts, windowOf } from './epoch-contexts.js';
import { MessageChecks } from './message-checks.js';
import { ShareChecks } from './share-checks.js';

/** Everything that resharing promises, checked while a run goes on. */
export class ResharingChecks {
  readonly #world: ResharingWorld;
  readonly #blocks: FinalBlocks;
  readonly messages: MessageChecks;
  /** Checks of the blocks, with the epochs that these ended. */
  readonly ended: BlockChecks;
  readonly #shares: ShareChecks;
  /** Number of epochs without faults of network and machines. */
  calmEpochs = 0;
  /** Whether no such fault was left when the present epoch had all its dealings. */
  #hasCalmEnd = false;
  /** The present epoch if it began without such faults, and its honest holders then. */
  #begun: { readonly epoch: bigint; readonly holders: number } | undefined;

  constructor(world: ResharingWorld, blocks: FinalBlocks, numbers: ReadonlyMap<string, number>) {
    this.#world = world;
    this.#blocks = blocks;
    const contexts = epochContexts(blocks, world.scenario.epochLength, numbers);
    this.messages = new MessageChecks(world, contexts);
    this.ended = new BlockChecks(world, contexts);
    this.#shares = new ShareChecks(blocks, this.ended);
  }

  onDrop(host: HostView, other: number, reason: string): void {
    if (this.#world.isHonest(host.index) && this.#world.isHonest(other))
      host.fail(`drops ${other}, which is honest: ${reason}`);
  }

  onError(host: HostView, message: string): void {
    if (this.#world.isHonest(host.index)) host.fail(`fails: ${message}`);
  }

  onSettled(host: HostView): void {
    if (this.#world.isHonest(host.index)) this.#shares.onSettled(host);
  }

  /** Checks that a block can hold each item of an honest proposal. */
  async onProposal(host: HostView, { dealings, complaints }: EpochItems): Promise<void> {
    const parts = [
      ...dealings.map((one) => ({ ...NO_EPOCH_ITEMS, dealings: [one] })),
      ...complaints.map((one) => ({ ...NO_EPOCH_ITEMS, complaints: [one] })),
    ];
    for (const items of parts) {
      const problem = await this.#blocks.problem(items);
      if (problem !== undefined) host.fail(`proposes ${problem}`);
    }
  }

  onBlock(block: FinalBlock, honest: readonly HostView[]): void {
    const { height, epochs } = block;
    const ended = this.ended.onBlock(block);
    const isCalm = this.#world.isStable && honest.every((host) => host.isAlive && host.height + 2n >= height);
    const { epochLength } = this.#world.scenario;
    if (Number(height % BigInt(epochLength)) === windowOf(epochLength).end) this.#hasCalmEnd = isCalm;
    if (ended === undefined) return;
    this.#world.trace(() => describe(ended));
    if (this.#hasCalmEnd) this.#expectNoGarbage(ended, honest);
    if (this.#begun?.epoch === ended.context.epoch) this.#expectResharing(ended, this.#begun.holders);
    const { epoch } = epochs.validators;
    this.#begun = isCalm ? { epoch, holders: this.#honestHolders(ended, honest) } : undefined;
  }

  /** Members that an epoch begins with and that can deal: they are honest, and have their shares. */
  #honestHolders({ used, set }: EndedEpoch, honest: readonly HostView[]): number {
    const members = new Set(set.validators.map(({ identity_key }) => toHex(identity_key)));
    return honest.filter(
      (host) =>
        members.has(toHex(host.identity.publicKey)) &&
        // The share that it has may be that of the ended epoch, which stays only if there is no new one.
        (this.#shares.canHold(host, set.epoch) || (used.length === 0 && this.#shares.holds(host))),
    ).length;
  }

  /** Checks an epoch without faults of network and machines. */
  #expectResharing({ context, used }: EndedEpoch, holders: number): void {
    const { currentSet, nextPlayers, players, epoch } = context;
    this.calmEpochs++;
    const faulty = players.filter((number) => !this.#world.isHonest(number)).length;
    if (holders < currentSet.quorum || faulty > maxFaulty(nextPlayers.length)) return;
    if (used.length === 0) this.#world.fail('liveness', `the key is not reshared in epoch ${epoch}`);
  }

  /** Checks an epoch that had no such faults once it had all its dealings: everybody could complain. */
  #expectNoGarbage({ context, used }: EndedEpoch, honest: readonly HostView[]): void {
    const { players, epoch } = context;
    for (const dealing of used) {
      const victim = honest.find((host) => {
        const player = players.indexOf(host.index);
        return isGarbageTo(dealing, player, context) && !hasEvaluation(host, dealing);
      });
      if (victim !== undefined) {
        const what = `a dealing of epoch ${epoch} counts that sealed garbage to ${victim.index}`;
        this.#world.fail('safety', what);
      }
    }
  }
}

/** Whether a player already has its evaluation and need not read the sealed one. */
function hasEvaluation(host: HostView, { epoch, dealer, commitments }: Dealing): boolean {
  const { record } = host.disk;
  const digest = commitmentsDigest(RESHARING_CRYPTO, commitments);
  return (
    record?.epoch === epoch &&
    record.received.some((one) => one.dealer === dealer && sameBytes(one.commitments_digest, digest))
  );
}

function describe({ context, used, set }: EndedEpoch): string {
  const dealers = used.map(({ dealer }) => context.dealers[dealer]);
  const how = used.length === 0 ? 'not reshared' : `reshared by ${dealers.join(', ')}`;
  return `epoch ${context.epoch} is over, ${how}; ${set.validators.length} validators follow`;
}
