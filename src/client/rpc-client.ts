import { toHex } from '../idl/hex.js';
import type { InferredContract } from '../idl/inferred/contract-types.js';
import type { ActionLike } from './action-bytes.js';
import type { AddressLike } from './address-text.js';
import { Bundle } from './bundle.js';
import { type BundleItem, bundleStep } from './bundle-items.js';
import { ChainInfo } from './chain-info.js';
import type { Contract, ContractOptions } from './contract.js';
import { contractAt, type TypedContractOptions } from './contract-at.js';
import { DevControls } from './dev-controls.js';
import { type ClientParts, ReadClient } from './read-client.js';
import type { ClientSealOptions, OpenedTransaction, SealedTransaction } from './seal-options.js';
import { Sender } from './sender.js';
import type { Signer } from './signers.js';
import type { TypedContract } from './typed-contract.js';

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
    action: ActionLike,
    options: ClientSealOptions & { readonly wait: 'opened' | 'finalized' },
  ): Promise<OpenedTransaction>;
  seal(action: ActionLike, options: ClientSealOptions): Promise<SealedTransaction>;
  seal(action: ActionLike, { signer, lane = 0, ...options }: ClientSealOptions): Promise<SealedTransaction> {
    return this.sender(signer, { lane }).seal(action, options);
  }

  /**
   * Transactions of one or more senders that a block includes completely, in order and consecutively, or not at all.
   * Sends no request yet. The senders' nonces are shared with their other transactions.
   * @param items at most 64, or the limit `bundle_transactions` of the node's manifest
   *
   * @example
   * const { hashHex } = await client
   *   .bundle([
   *     { sender: alice, to: bob.address, amount: 5n },
   *     { sender: alice, contract: token, method: 'transfer', args: [bob.address, 3n] },
   *   ])
   *   .send({ wait: 'included' });
   * hashHex.length; // 64
   */
  bundle(items: readonly BundleItem[]): Bundle {
    const steps = () => Promise.all(items.map((item) => bundleStep(item, this)));
    return new Bundle({ client: this, facts: this.#facts, steps });
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
  contract(address: AddressLike, options?: ContractOptions): Contract;
  /**
   * A contract with typed methods, views, events and errors.
   * @param idl the contract's interface text. If the compiler knows it, as a constant, the types follow from it as
   *   `heddle idl generate --contract` writes them.
   */
  contract<const Idl extends string>(
    address: AddressLike,
    idl: Idl,
    options?: TypedContractOptions,
  ): TypedContract<InferredContract<Idl>>;
  contract(
    address: AddressLike,
    idlOrOptions: string | ContractOptions = {},
    options: TypedContractOptions = {},
  ): Contract | TypedContract<InferredContract<string>> {
    if (typeof idlOrOptions !== 'string') return contractAt(this, address, idlOrOptions);
    return contractAt(this, address, idlOrOptions, options);
  }
}
