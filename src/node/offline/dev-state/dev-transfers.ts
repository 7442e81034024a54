import { ed25519Address } from '../../../crypto/address.js';
import type { Crypto } from '../../../crypto/crypto.js';
import { devSeed } from '../../../crypto/dev-accounts.js';
import { ledger } from '../../../ledger/codecs.js';
import { DEV_CHAIN_ID } from '../../../ledger/dev-genesis.js';
import {
  type OpenTransaction,
  transactionFromSigned,
  transactionHash,
} from '../../../ledger/transaction-envelope.js';

/** Accounts that send and receive; deriving more would take longer than their blocks. */
const MAX_PARTIES = 10_000;
const GAS_LIMIT = 25_000n;
/** Far above the base fee of blocks with few transfers. */
const MAX_FEE = 1_000n;

interface Party {
  readonly publicKey: Uint8Array;
  readonly address: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
  nonce: bigint;
}

/** Transfers of one unit among development accounts: each account in turn pays the next one. */
export class DevTransfers {
  readonly #crypto: Crypto;
  readonly #parties: (Party | undefined)[];
  #next = 0;

  /** @param accounts number of development accounts on the chain; none has sent anything yet */
  constructor(crypto: Crypto, accounts: number) {
    this.#crypto = crypto;
    this.#parties = Array.from({ length: Math.min(accounts, MAX_PARTIES) });
  }

  next(): OpenTransaction {
    const from = this.#party(this.#next);
    this.#next = (this.#next + 1) % this.#parties.length;
    const to = this.#party(this.#next);
    const transaction = {
      chain_id: DEV_CHAIN_ID,
      sender: from.address,
      lane: 0,
      nonce: from.nonce++,
      gas_limit: GAS_LIMIT,
      max_fee: MAX_FEE,
      priority_fee: 0n,
      action: { type: 'transfer', value: { to: to.address, amount: 1n } },
    } as const;
    const hash = transactionHash(ledger.Transaction.encode(transaction), this.#crypto);
    const value = { public_key: from.publicKey, signature: from.sign(hash) };
    return transactionFromSigned({ transaction, signature: { type: 'ed25519', value } }, this.#crypto);
  }

  #party(index: number): Party {
    const known = this.#parties[index];
    if (known !== undefined) return known;
    const { ed25519 } = this.#crypto;
    const seed = devSeed(this.#crypto, index);
    const publicKey = ed25519.publicKey(seed);
    const made = {
      publicKey,
      address: ed25519Address(this.#crypto, publicKey),
      sign: ed25519.signer(seed),
      nonce: 0n,
    };
    this.#parties[index] = made;
    return made;
  }
}
