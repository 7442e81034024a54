import { CallError } from './call-error.js';

/** The gas limit of the call that the thread runs, and the gas used so far. One per thread. */
export class CallGas {
  readonly #max: number;
  /** The part of the limit that comes from the caller's token; infinite without one. */
  #granted = Number.POSITIVE_INFINITY;
  #used = 0n;

  /** @param max maximum and default gas limit of a call, from the node's configuration */
  constructor(max: number) {
    this.#max = max;
  }

  /** Begins a call. @param granted limit from the caller's token; only the node's limit applies if absent */
  begin(granted = Number.POSITIVE_INFINITY): void {
    this.#granted = granted;
    this.#used = 0n;
  }

  /** The greatest gas limit that an execution may have, and its default. */
  get limit(): number {
    return Math.min(this.#max, this.#granted);
  }

  /** Gas used by everything that the call has run. */
  get used(): bigint {
    return this.#used;
  }

  use(gas: bigint): void {
    this.#used += gas;
  }

  /** Lowers the token's limit for the following steps of a call by the gas of a step. */
  deduct(gas: bigint): void {
    this.#granted = Math.max(0, this.#granted - Number(gas));
  }

  /** The gas limit that a call requests, else the default. @throws CallError limit_exceeded */
  limitOf(given: bigint | undefined): number {
    this.expect(given);
    return given === undefined ? this.limit : Number(given);
  }

  /** @throws CallError limit_exceeded if the gas limit that a call requests is above the limit */
  expect(given: bigint | undefined): void {
    if (given === undefined || given <= BigInt(this.limit)) return;
    if (given > BigInt(this.#max)) throw exceeded('call_gas', this.#max, given);
    throw exceeded('token_gas', this.#granted, given);
  }

  /** Checks the gas of a block's transaction, with its own limit, against the token's. @throws CallError */
  expectUsed(gas: bigint): void {
    if (Number(gas) > this.#granted) throw exceeded('token_gas', this.#granted, gas);
  }
}

function exceeded(subject: 'call_gas' | 'token_gas', limit: number, given: bigint): CallError {
  return new CallError({ code: 'limit_exceeded', subject, limit, given: Number(given) });
}
