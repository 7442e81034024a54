import assert from 'node:assert/strict';
import { sameBytes } from '../../../src/base/same-bytes.js';
import { membersAfter } from '../../../src/chain/epochs/epoch-rules.js';
import { type EpochItems, type EpochState, NO_EPOCH_ITEMS } from '../../../src/chain/epochs/epoch-state.js';
import type { PendingBlock } from '../../../src/chain/pending-blocks.js';
import type { ProposalContext } from '../../../src/chain/propose-block.js';
import { proveDecryption } from '../../../src/crypto/dkg/complaint.js';
import { weightsAtZero } from '../../../src/crypto/scalars/lagrange.js';
import {
  decodeScalar,
  encodeScalar,
  expectScalar,
  weightedSum,
} from '../../../src/crypto/scalars/scalars.js';
import { sealIdentity } from '../../../src/crypto/sealing/seal-identity.js';
import type {
  ApprovedChange,
  Complaint,
  Dealing,
  Genesis,
  SealKey,
  ValidatorChange,
} from '../../../src/generated/ledger.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { type OpenedShare, openShare } from '../../../src/ledger/validators/sealed-shares.js';
import { changeMessage } from '../../../src/ledger/validators/signed-messages.js';
import { signTogether } from '../crypto/threshold.js';
import {
  garbled,
  type HonestDealing,
  honestDealing,
  type ValidatorWorld,
  validatorWorld,
} from '../networks/validators.js';
import { ChainWorld } from './chain-world.js';

export interface EpochChainOptions {
  /** Default 8. */
  readonly epochLength?: bigint;
  /** Default 4. */
  readonly validators?: number;
  /** True if the genesis claims a ceremony for the group key; default false. */
  readonly ceremony?: boolean;
}

/**
 * A chain of several validators with all their keys: identity n belongs to validator n of genesis, or to a later one.
 */
export class EpochChain {
  /** By epoch and index. */
  readonly shares: Uint8Array[][];

  private constructor(
    readonly world: ChainWorld,
    readonly genesis: Genesis,
    readonly validators: ValidatorWorld,
    shares: readonly Uint8Array[],
  ) {
    this.shares = [[...shares]];
  }

  static async open({
    epochLength = 8n,
    validators = 4,
    ceremony = false,
  }: EpochChainOptions = {}): Promise<EpochChain> {
    const world = validatorWorld(20);
    const { set, shares } = world.dealt(Array.from({ length: validators }, (_, number) => number));
    const genesis: Genesis = {
      ...devGenesis(world.crypto),
      validator_set: set,
      encryption_keys: world.encryptionKeys(Array.from({ length: validators }, (_, number) => number)),
      epoch_length: epochLength,
      ...(ceremony ? { ceremony: { dealings: [], signatures: [] } } : {}),
    };
    return new EpochChain(await ChainWorld.open({ genesis }), genesis, world, shares);
  }

  get tip(): bigint {
    return this.world.chain.tip.header.height;
  }

  get epochs(): EpochState {
    return this.world.chain.tip.epochs;
  }

  /** A validator's dealing to the next members, by the epoch state after a block (default: the tip). */
  deal(
    dealer: number,
    { epochs = this.epochs, silent = [] }: { readonly epochs?: EpochState; readonly silent?: number[] } = {},
  ): HonestDealing {
    const nextPlayers = membersAfter(this.validators.crypto, epochs);
    const { epoch } = epochs.validators;
    return honestDealing(this.validators, {
      context: {
        chainId: this.world.chain.genesis.chain_id,
        epoch,
        currentSet: epochs.validators,
        nextPlayers,
      },
      dealer: { index: dealer, identity: this.#numberOf(epochs.validators.validators[dealer]?.address) },
      share: this.shares[Number(epoch)]?.[dealer] ?? new Uint8Array(0),
      players: nextPlayers.map(({ address }) => this.#numberOf(address)),
      silent,
    });
  }

  dealing(dealer: number, options?: Parameters<EpochChain['deal']>[1]): Dealing {
    return this.deal(dealer, options).dealing;
  }

  /** Combines dealings into the shares of the next epoch and adopts them. */
  hand(dealings: readonly HonestDealing[]): void {
    const [first] = dealings;
    if (first === undefined) throw new Error('expected a dealing at least');
    const weights = weightsAtZero(dealings.map(({ dealing }) => dealing.dealer));
    this.shares[Number(first.dealing.epoch) + 1] = first.dealt.map((_, player) => {
      const evaluations = dealings.map(({ dealt }) =>
        decodeScalar(dealt[player]?.share ?? new Uint8Array(0)),
      );
      return encodeScalar(
        weightedSum(
          evaluations.map((value) => value ?? 0n),
          weights,
        ),
      );
    });
  }

  /** A change approved by validators of the tip's set, in its epoch by default. */
  change(
    change: ValidatorChange,
    approvers: readonly number[],
    epoch = this.epochs.validators.epoch,
  ): ApprovedChange {
    const { chain_id: chainId } = this.world.chain.genesis;
    const message = changeMessage(chainId, { epoch, change });
    const approvals = approvers.map((index) => {
      const number = this.#numberOf(this.epochs.validators.validators[index]?.address);
      return { index, signature: this.validators.identity(number).sign(message) };
    });
    return { epoch, change, approvals };
  }

  /** The dealing with garbage for the players whose shares it seals; made by an identity with a given number. */
  garbage(dealing: Dealing, number: number): Dealing {
    const { chain_id: chainId } = this.world.chain.genesis;
    return garbled(
      this.validators,
      number,
      chainId,
      dealing,
      membersAfter(this.validators.crypto, this.epochs),
    );
  }

  /** The content of a share that a dealing seals to a player, read with the key of an identity. */
  openedBy(dealing: Dealing, player: number, number = player): OpenedShare {
    const { encryption } = this.validators.identity(number);
    return openShare(this.validators, {
      chainId: this.world.chain.genesis.chain_id,
      epoch: dealing.epoch,
      dealer: dealing.dealer,
      commitments: dealing.commitments,
      sealed: dealing.sealed.find((one) => one.player === player) ?? assert.fail('nothing is sealed to it'),
      privateKeys: [encryption.privateKey],
      encryptionKey: encryption.publicKey,
      nonce: this.validators.random(48),
    });
  }

  /** A player's complaint about the share that a dealing seals to it, be it good or garbage. */
  complaint({ epoch, dealer, sealed }: Dealing, player: number): Complaint {
    const { chain_id: chainId } = this.world.chain.genesis;
    const { ephemeral } =
      sealed.find((one) => one.player === player) ?? assert.fail('nothing is sealed to it');
    const secret = expectScalar(this.validators.identity(player).encryption.privateKey);
    const context = { chainId, epoch, dealer, player };
    return { epoch, dealer, player, ...proveDecryption(this.validators, context, secret, ephemeral) };
  }

  add(number: number): ValidatorChange {
    return { type: 'add', value: this.validators.newValidator(number) };
  }

  remove(number: number): ValidatorChange {
    return { type: 'remove', value: this.validators.identity(number).address };
  }

  /** The key of a height, signed by a quorum of an epoch's shares. */
  key(height: bigint, epoch = 0): SealKey {
    const shares = this.shares[epoch] ?? [];
    const message = sealIdentity(this.world.chain.genesis.chain_id, height);
    const signers = Array.from({ length: this.epochs.validators.quorum }, (_, index) => index);
    return { height, signature: signTogether(this.validators.bls, message, shares, signers) };
  }

  /** The position of the block after a parent, by default the tip; views count from 1 in each epoch. */
  context(more: Partial<ProposalContext> = {}): ProposalContext {
    const parent = this.world.pending.parent(more.parent ?? this.world.chain.tip.hash);
    if (parent === undefined) throw new Error('neither the tip nor pending');
    const { epoch } = parent.epochs.validators;
    const view = parent.header.height > 0n && parent.header.epoch === epoch ? parent.header.view + 1n : 1n;
    return this.world.context({ epoch, view, ...more });
  }

  propose(more: Partial<ProposalContext> = {}): Promise<PendingBlock> {
    return this.world.propose(this.context(more));
  }

  /** Proposes and commits a block with these items. */
  async advance(items: Partial<EpochItems> = {}, more: Partial<ProposalContext> = {}): Promise<PendingBlock> {
    const block = await this.propose({ ...more, items: { ...NO_EPOCH_ITEMS, ...items } });
    await this.world.blockChain.commit(block.hash);
    return block;
  }

  async advanceTo(height: bigint, more: Partial<ProposalContext> = {}): Promise<void> {
    while (this.tip < height) await this.advance({}, more);
  }

  #numberOf(address: Uint8Array | undefined): number {
    for (let number = 0; number < 20 && address !== undefined; number++) {
      if (sameBytes(this.validators.identity(number).address, address)) return number;
    }
    throw new Error('no identity has this address');
  }
}
