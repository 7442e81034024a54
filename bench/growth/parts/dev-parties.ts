import { hex } from '../../../test/outside/bytes.js';
import { Random } from '../../../test/outside/traffic.js';
import {
  devWallet,
  type SentTransaction,
  signTransaction,
  transfer,
  type Wallet,
} from '../../../test/outside/wallet.js';

/** The chain id of development chains. */
const CHAIN_ID = 9545n;

/** Accounts of a chain of `heddle dev-state`, chosen at random but the same in every run. */
export class DevParties {
  readonly #accounts: number;
  readonly #random = new Random(1);
  readonly #nonces = new Map<number, bigint>();

  /** @param accounts number of accounts of the chain */
  constructor(accounts: number) {
    this.#accounts = accounts;
  }

  /** Addresses with 0x. */
  addresses(count: number): string[] {
    return Array.from({ length: count }, () => `0x${hex(this.#any().address)}`);
  }

  /** Transfers from different accounts, each to a random one. */
  transfers(count: number, firstSender: number): SentTransaction[] {
    return Array.from({ length: count }, (_, place) => {
      const sender = (firstSender + place) % this.#accounts;
      const nonce = this.#nonces.get(sender) ?? 0n;
      this.#nonces.set(sender, nonce + 1n);
      const action = transfer(this.#any().address, 1n);
      return signTransaction(devWallet(sender), { chainId: CHAIN_ID, nonce, gasLimit: 25_000n, action });
    });
  }

  #any(): Wallet {
    return devWallet(this.#random.below(this.#accounts));
  }
}
