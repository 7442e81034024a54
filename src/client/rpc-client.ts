import { toHex } from '../idl/hex.js';
import { ChainFacts } from './chain-facts.js';
import { type Contract, type ContractOptions, contractAt } from './contract.js';
import { type ClientParts, ReadClient } from './read-client.js';
import { Sender } from './sender.js';
import type { Signer } from './signers.js';

/**
 * A connection to a node: every method of the interface by its name, fully typed, and what makes sending transactions
 * easy. Made by `connect`.
 */
export class Client extends ReadClient {
  readonly #facts: ChainFacts;
  readonly #senders = new Map<string, Sender>();

  constructor(parts: ClientParts) {
    super(parts);
    this.#facts = new ChainFacts(this);
  }

  /**
   * Sends transactions of one account in one of its lanes, and keeps count of its nonces. The same signer and lane get
   * the same sender, so that all parts of a program share one count.
   * @param options.lane 0 unless given; lanes do not wait for each other
   *
   * @example
   * const alice = client.sender(devAccount(0));
   * const { receipt } = await alice.transfer({ to: '0x…', amount: 1_000n, wait: 'included' });
   */
  sender(signer: Signer, options: { readonly lane?: number } = {}): Sender {
    const lane = options.lane ?? 0;
    const key = `${toHex(signer.address)}/${lane}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const sender = new Sender({ client: this, facts: this.#facts, signer, lane });
    this.#senders.set(key, sender);
    return sender;
  }

  /**
   * A contract on the chain, called by the names of its interface. Nothing is asked yet.
   * @param address text or 20 bytes
   *
   * @example
   * const token = client.contract('0x…', { sender: alice });
   * const { receipt } = await token.call('transfer', { to: bob.address, amount: 250n });
   * const left = await token.view('balance_of', [alice.signer.address]);
   */
  contract(address: string | Uint8Array, options: ContractOptions = {}): Contract {
    return contractAt(this, address, options);
  }
}
