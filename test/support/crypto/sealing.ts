import { devValidatorKey } from '../../../src/consensus/validator-key.js';
import type { ThresholdBls } from '../../../src/crypto/crypto.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { seal } from '../../../src/crypto/sealing/seal.js';
import { sealIdentity } from '../../../src/crypto/sealing/seal-identity.js';
import type { Action, SealedEnvelope, SealKey } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { GAS, sealedGas } from '../../../src/ledger/gas.js';
import { slotGas } from '../../../src/ledger/opening-slots.js';
import {
  envelopeFromSigned,
  sealedEnvelopeHash,
  type VerifiedTransaction,
} from '../../../src/ledger/transaction-envelope.js';
import type { ChainWorld, Sending } from '../worlds/chain-world.js';
import { asVerified } from './as-verified.js';

/** Fields of an envelope. */
export interface SealedSending extends Sending {
  readonly opensAt: bigint;
  /** Default: enough for any price in these tests. */
  readonly maxSealFee?: bigint;
  /** Sealed content other than an Action. */
  readonly content?: Uint8Array;
  /** The height whose key opens the envelope, if it differs from the declared one. */
  readonly sealedTo?: bigint;
  /** Changes the envelope between sealing and signing. */
  readonly tamper?: (envelope: SealedEnvelope) => SealedEnvelope;
}

/** Gas for the inclusion of an envelope with a small payload and the execution of a transfer. */
export const SEALED_GAS = 2_100_000n;

/** Seals envelopes to a world's heights and derives the heights' keys: a development chain's group key is public. */
export class Sealing {
  readonly #world: ChainWorld;
  readonly #bls: ThresholdBls;
  #count = 0;

  private constructor(world: ChainWorld, bls: ThresholdBls) {
    this.#world = world;
    this.#bls = bls;
  }

  static async of(world: ChainWorld): Promise<Sealing> {
    return new Sealing(world, await loadBls(world.native));
  }

  key(height: bigint): SealKey {
    const { chain, crypto } = this.#world;
    const message = sealIdentity(chain.genesis.chain_id, height);
    return { height, signature: this.#bls.sign(message, devValidatorKey(crypto)) };
  }

  /** A signed envelope. */
  envelope(sending: SealedSending): VerifiedTransaction {
    const { chain, accounts } = this.#world;
    const { from = 0, opensAt, amount = 1n, maxFee = 1_000n, priorityFee = 1n } = sending;
    const account = accounts[from];
    if (account === undefined) throw new Error(`there is no development account ${from}`);
    const header = {
      chain_id: sending.chainId ?? chain.genesis.chain_id,
      sender: account.address,
      lane: sending.lane ?? 0,
      nonce: sending.nonce ?? 0n,
      gas_limit: sending.gasLimit ?? SEALED_GAS,
      max_fee: maxFee,
      priority_fee: priorityFee,
      max_seal_fee: sending.maxSealFee ?? 10n ** 20n,
      opens_at: opensAt,
    };
    const to = sending.to ?? this.#world.account(9);
    const action: Action = sending.action ?? { type: 'transfer', value: { to, amount } };
    const parts = seal({
      groupPublicKey: chain.genesis.validator_set.group_public_key,
      identity: sealIdentity(chain.genesis.chain_id, sending.sealedTo ?? opensAt),
      header: ledger.SealedHeader.encode(header),
      action: sending.content ?? ledger.Action.encode(action),
      randomness: this.#randomness(),
    });
    return this.sign({ header, ...parts, ...sending.tamper?.({ header, ...parts }) }, from);
  }

  /**
   * An envelope that reserves slots and does not open, made without a pairing.
   * @param slots number of slots that it reserves
   */
  dud(sending: Omit<SealedSending, 'content' | 'sealedTo' | 'tamper'>, slots: number): VerifiedTransaction {
    const { chain } = this.#world;
    const { from = 0, opensAt, maxFee = 1_000n, priorityFee = 1n } = sending;
    const payload = new Uint8Array(57);
    const header = {
      chain_id: chain.genesis.chain_id,
      sender: this.#world.account(from),
      lane: sending.lane ?? 0,
      nonce: sending.nonce ?? 0n,
      gas_limit:
        sealedGas(payload.length) + GAS.lane_open + slotGas(chain.genesis.gas_limit) * BigInt(slots - 1) + 1n,
      max_fee: maxFee,
      priority_fee: priorityFee,
      max_seal_fee: sending.maxSealFee ?? 10n ** 20n,
      opens_at: opensAt,
    };
    const points = { u: new Uint8Array(48), v: new Uint8Array(32), w: new Uint8Array(32) };
    return this.sign({ header, ...points, payload }, from);
  }

  /** Signs an envelope as a development account, even for another sender. */
  sign(envelope: SealedEnvelope, by: number): VerifiedTransaction {
    const { crypto, accounts } = this.#world;
    const account = accounts[by];
    if (account === undefined) throw new Error(`there is no development account ${by}`);
    const hash = sealedEnvelopeHash(ledger.SealedEnvelope.encode(envelope), crypto);
    const value = { public_key: account.publicKey, signature: crypto.ed25519.sign(hash, account.seed) };
    return asVerified(envelopeFromSigned({ envelope, signature: { type: 'ed25519', value } }, crypto));
  }

  #randomness(): Uint8Array {
    const { crypto } = this.#world;
    const half = (name: string) => crypto.sha256(new TextEncoder().encode(`${name} ${this.#count}`));
    this.#count++;
    return Buffer.concat([half('sigma'), half('key')]);
  }
}
