// Generated from idl/dev_v1.idl by `heddle idl generate`. Do not edit.
import type { DevV1Methods } from './dev-v1.js';

/** Sends one call to the node and returns its result; rejects on failure. */
export type DevV1Call = <M extends keyof DevV1Methods>(
  method: M,
  params: DevV1Methods[M]['params'],
) => Promise<DevV1Methods[M]['result']>;

/**
 * Controls of a development chain, for tests and demonstrations. A development chain is one whose group key is the public
 * development key, as with `heddle start` without a genesis file. Its only validator serves the controls; every other node
 * answers `forbidden`. A control that changes the chain is in a block, so followers, verification and proofs hold.
 * Controls run one after another; a call is answered once its last block is committed.
 */
export class DevV1Client {
  readonly #call: DevV1Call;

  constructor(call: DevV1Call) {
    this.#call = call;
  }

  /**
   * Seals blocks at once, with the pool's transactions. Ends early if the caller goes.
   * Tier admin, 10 compute units.
   */
  dev_mine(params: DevV1Methods['dev_mine']['params'] = {}): Promise<DevV1Methods['dev_mine']['result']> {
    return this.#call('dev_mine', params);
  }

  /**
   * Sets the chain's clock and seals a block with that time, in milliseconds since 1970. The clock goes on from there, also
   * after a restart. It cannot go back before the last block.
   * Tier admin, 10 compute units.
   */
  dev_setTime(params: DevV1Methods['dev_setTime']['params']): Promise<DevV1Methods['dev_setTime']['result']> {
    return this.#call('dev_setTime', params);
  }

  /**
   * Advances the chain's clock by milliseconds and seals a block.
   * Tier admin, 10 compute units.
   */
  dev_increaseTime(params: DevV1Methods['dev_increaseTime']['params']): Promise<DevV1Methods['dev_increaseTime']['result']> {
    return this.#call('dev_increaseTime', params);
  }

  /**
   * Sets a balance, at most 2^96.
   * Tier admin, 10 compute units.
   */
  dev_setBalance(params: DevV1Methods['dev_setBalance']['params']): Promise<DevV1Methods['dev_setBalance']['result']> {
    return this.#call('dev_setBalance', params);
  }

  /**
   * Sets a slot of a contract, or removes it if `value` is absent.
   * Tier admin, 10 compute units.
   */
  dev_setStorage(params: DevV1Methods['dev_setStorage']['params']): Promise<DevV1Methods['dev_setStorage']['result']> {
    return this.#call('dev_setStorage', params);
  }

  /**
   * Puts a contract at an address without running its code, or replaces the code of the one there; its slots remain.
   * Tier admin, 10 compute units.
   */
  dev_setCode(params: DevV1Methods['dev_setCode']['params']): Promise<DevV1Methods['dev_setCode']['result']> {
    return this.#call('dev_setCode', params);
  }

  /**
   * Performs an action as another account, which pays the amounts but no fee; its nonces stay the same. A failure of the
   * action is a result. `tx_receipt` of `tx_hash` has the events.
   * Tier admin, 10 compute units.
   */
  dev_impersonate(params: DevV1Methods['dev_impersonate']['params']): Promise<DevV1Methods['dev_impersonate']['result']> {
    return this.#call('dev_impersonate', params);
  }

  /**
   * Names the present state, for `dev_revert`. Its history is kept until then, also after a restart. At most 64 snapshots.
   * Tier admin, 10 compute units.
   */
  dev_snapshot(): Promise<DevV1Methods['dev_snapshot']['result']> {
    return this.#call('dev_snapshot', {});
  }

  /**
   * Restores all balances, contracts, slots and deployment indexes of a snapshot in new blocks. Heights, times and nonces
   * never go back, and unopened envelopes remain. The snapshot and all later ones end.
   * Tier admin, 50 compute units.
   */
  dev_revert(params: DevV1Methods['dev_revert']['params']): Promise<DevV1Methods['dev_revert']['result']> {
    return this.#call('dev_revert', params);
  }

  /**
   * A page of all accounts of the state with their contracts and slots, ascending by address. All pages of a listing show
   * the height of its first page.
   * Tier admin, 50 compute units.
   */
  dev_dumpState(params: DevV1Methods['dev_dumpState']['params'] = {}): Promise<DevV1Methods['dev_dumpState']['result']> {
    return this.#call('dev_dumpState', params);
  }

  /**
   * Sets the balances, contracts, slots and deployment indexes of accounts, in one or several blocks; all other state
   * remains. Takes the accounts of a page of `dev_dumpState`.
   * Tier admin, 50 compute units.
   */
  dev_loadState(params: DevV1Methods['dev_loadState']['params']): Promise<DevV1Methods['dev_loadState']['result']> {
    return this.#call('dev_loadState', params);
  }
}
