import { dealerGenesis } from '../../../src/consensus/dealer-genesis.js';
import { type EncryptionKey, newEncryptionKey } from '../../../src/consensus/files/encryption-file.js';
import { ResharingDealer } from '../../../src/consensus/resharing/dealer.js';
import { ed25519Address } from '../../../src/crypto/address.js';
import type { Bls, Crypto } from '../../../src/crypto/crypto.js';
import { sealEvaluation } from '../../../src/crypto/dkg/sealed-share.js';
import type { Dealing, NewValidator, ValidatorSet } from '../../../src/generated/ledger.js';
import type { CeremonyConfiguration, DealtShare } from '../../../src/generated/mesh.js';
import type { DealingContext, NextPlayer } from '../../../src/ledger/validators/check-dealing.js';
import type { Member } from '../../../src/ledger/validators/members.js';
import { sealShares } from '../../../src/ledger/validators/sealed-shares.js';
import {
  ackMessage,
  commitmentsDigest,
  dealingMessage,
} from '../../../src/ledger/validators/signed-messages.js';
import { BLS, CRYPTO } from '../crypto/loaded-crypto.js';
import { randomSource } from '../random-source.js';

export const TEST_CHAIN_ID = 7n;

/** Deterministic keys, sets and dealings. */
export interface ValidatorWorld {
  readonly crypto: Crypto;
  readonly bls: Bls;
  readonly random: (length: number) => Uint8Array;
  identity(number: number): Identity;
  /** The public identity of a validator, as in a change that adds it. */
  newValidator(number: number): NewValidator;
  /** Public keys of identities, in their order. */
  encryptionKeys(identities: readonly number[]): Uint8Array[];
  configuration(identities: readonly number[]): CeremonyConfiguration;
  /** A set of the identities with these numbers, with a dealt group key, and its shares by index. */
  dealt(identities: readonly number[]): {
    readonly set: ValidatorSet;
    readonly shares: readonly Uint8Array[];
  };
}

export interface Identity extends Member {
  readonly encryption: EncryptionKey;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export function validatorWorld(seed: number): ValidatorWorld {
  const [crypto, bls] = [CRYPTO, BLS];
  const random = randomSource(seed).bytes;
  const identity = (number: number): Identity => {
    const secret = crypto.sha256(new TextEncoder().encode(`test identity ${number}`));
    const key = crypto.ed25519.publicKey(secret);
    const encryption = newEncryptionKey(bls, randomSource(1_000_000 + number).bytes);
    return {
      identity_key: key,
      address: ed25519Address(crypto, key),
      encryption_key: encryption.publicKey,
      encryption,
      sign: (message) => crypto.ed25519.sign(message, secret),
    };
  };
  const newValidator = (number: number): NewValidator => {
    const { identity_key, encryption } = identity(number);
    return { identity_key, encryption_key: encryption.publicKey, endpoint: `127.0.0.1:${9_700 + number}` };
  };
  const encryptionKeys = (identities: readonly number[]) =>
    identities.map((number) => identity(number).encryption.publicKey);
  const configuration = (identities: readonly number[]): CeremonyConfiguration => ({
    chain_id: TEST_CHAIN_ID,
    timestamp_ms: 1_767_225_600_000n,
    gas_limit: 500_000_000n,
    base_fee: 1n,
    accounts: [{ address: identity(1_000).address, balance: 10n ** 20n }],
    epoch_length: 100n,
    validators: identities.map(newValidator),
  });
  const dealt = (identities: readonly number[]) => {
    const { genesis, shares } = dealerGenesis({ crypto, bls, random }, configuration(identities));
    return { set: genesis.validator_set, shares };
  };
  return { crypto, bls, random, identity, newValidator, encryptionKeys, configuration, dealt };
}

/** A valid dealing, and its dealer's message to each player. */
export interface HonestDealing {
  readonly dealing: Dealing;
  readonly dealt: readonly DealtShare[];
}

/** A dealing with some members replaced, signed again by its dealer. */
export function signedAgain(
  { identity }: ValidatorWorld,
  number: number,
  chainId: bigint,
  dealing: Dealing,
): Dealing {
  return { ...dealing, signature: identity(number).sign(dealingMessage(chainId, dealing)) };
}

/**
 * The dealing with garbage in place of all its sealed evaluations, under valid proofs, signed again by its dealer.
 * @param players the next players
 */
export function garbled(
  world: ValidatorWorld,
  number: number,
  chainId: bigint,
  dealing: Dealing,
  players: readonly NextPlayer[],
): Dealing {
  const { epoch, dealer } = dealing;
  const sealed = dealing.sealed.map(({ player }) => {
    const key = players[player]?.encryption_key ?? new Uint8Array(0);
    return { player, ...sealEvaluation(world, { chainId, epoch, dealer, player }, key, 7n) };
  });
  return signedAgain(world, number, chainId, { ...dealing, sealed });
}

/** A share holder's dealing, acknowledged by all players except `silent`. */
export function honestDealing(
  world: ValidatorWorld,
  { context, dealer, share, players, silent = [] }: HonestDealingOptions,
): HonestDealing {
  const { crypto } = world;
  const machine = new ResharingDealer({
    ...world,
    sign: world.identity(dealer.identity).sign,
    context,
    index: dealer.index,
    share,
  });
  const dealt = machine.step({ type: 'start' }).flatMap((effect) => (effect.type === 'send' ? [effect] : []));
  let dealing: Dealing | undefined;
  const take = (effects: ReturnType<ResharingDealer['step']>) => {
    for (const effect of effects) {
      if (effect.type === 'dealing') dealing = effect.dealing;
      if (effect.type === 'seal')
        take(machine.step({ type: 'sealed', sealed: sealShares(world, effect.input) }));
    }
  };
  for (const { player, dealt: sent } of dealt) {
    if (silent.includes(player)) continue;
    const digest = commitmentsDigest(crypto, sent.commitments);
    const { epoch } = sent;
    const message = ackMessage(context.chainId, { epoch, dealer: dealer.index, player, digest });
    const signature = world.identity(players[player] ?? -1).sign(message);
    const ack = { epoch, dealer: dealer.index, ack: { player, signature } };
    take(machine.step({ type: 'acknowledged', from: player, ack }));
  }
  take(machine.step({ type: 'deadline' }));
  if (dealing === undefined) throw new Error('too few players acknowledge');
  return { dealing, dealt: dealt.map((sent) => sent.dealt) };
}

interface HonestDealingOptions {
  readonly context: DealingContext;
  readonly dealer: { readonly index: number; readonly identity: number };
  /** The dealer's share, 32 bytes. */
  readonly share: Uint8Array;
  /** The numbers of the next players' identities. */
  readonly players: readonly number[];
  /** Players that do not acknowledge. */
  readonly silent?: readonly number[];
}
