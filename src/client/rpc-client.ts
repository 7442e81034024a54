import type { Action } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ChainInfo } from './chain-info.js';
import { type Contract, type ContractOptions, contractAt } from './contract.js';
import { DevControls } from './dev-controls.js';
import { type ClientParts, ReadClient } from './read-client.js';
import type { ClientSealOptions, OpenedTransaction, SealedTransaction } from './seal-options.js';
import { Sender } from './sender.js';
import type { Signer } from './signers.js';

/**
 * A connection to a node with all interface methods, fully typed, and support for sending transactions. Created by
 * `connect`.
 */
export class Client extends ReadClient {
  /** The controls of a development chain; they need an admin token. */
  readonly dev: DevControls;
  readonly #facts: ChainInfo;
  readonly #senders = new Map<string, Sender>();

  constructor(parts: ClientParts) {
    super(parts);
    this.#facts = new ChainInfo(this);
    this.dev = new DevControls(this, parts);
  }

  /**
   * Returns the sender of one account's lane, which keeps track of its nonces. The same signer and lane always return
   * the same sender, so all parts of a program share its nonces.
   * @param options.lane default 0; lanes are independent of each other
   *
   * @example
   * const alice = client.sender(devAccount(0));
   * const { receipt } = await alice.transfer({ to: bob.address, amount: 1_000n, wait: 'included' });
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
   * Sends a sealed action: it is unreadable until its position is fixed, even to the block's proposer. Shares nonces
   * with the sender of the same signer and lane; see `Sender.seal`.
   *
   * @example
   * const to = devAccount(1).address;
   * const action = { type: 'transfer', value: { to, amount: 5n } };
   * const sealed = await client.seal(action, { signer: devAccount(0), wait: 'opened' });
   * console.log(sealed.opensAt, sealed.receipt.height, sealed.receipt.status.type);
   */
  seal(
    action: Action,
    options: ClientSealOptions & { readonly wait: 'opened' | 'finalized' },
  ): Promise<OpenedTransaction>;
  seal(action: Action, options: ClientSealOptions): Promise<SealedTransaction>;
  seal(action: Action, { signer, lane = 0, ...options }: ClientSealOptions): Promise<SealedTransaction> {
    return this.sender(signer, { lane }).seal(action, options);
  }

  /**
   * A contract on the chain, called by the names in its interface. Sends no request yet.
   * @param address text or 20 bytes
   *
   * @example
   * const token = client.contract(address, { sender: alice });
   * const { receipt } = await token.call('transfer', { to: bob.address, amount: 250n });
   * const left = await token.view('balance_of', [alice.signer.address]);
   */
  contract(address: string | Uint8Array, options: ContractOptions = {}): Contract {
    return contractAt(this, address, options);
  }
}
