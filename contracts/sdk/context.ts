import { Address } from "./address";
import * as host from "./host";
import { require } from "./revert";
import { U128 } from "./u128";

/** Who called this contract: an account, or another contract. */
export function caller(): Address {
  const out = new Address();
  host.caller(changetype<usize>(out));
  return out;
}

/** Who signed the transaction. Not to be trusted with rights: it may have called a contract that means harm. */
export function origin(): Address {
  const out = new Address();
  host.origin(changetype<usize>(out));
  return out;
}

/** This contract. */
export function self(): Address {
  const out = new Address();
  host.self(changetype<usize>(out));
  return out;
}

/** The amount sent with this call; it is in the contract's balance already. */
export function value(): U128 {
  const out = new U128();
  host.value(changetype<usize>(out));
  return out;
}

/** Native balance. */
export function balanceOf(address: Address): U128 {
  const out = new U128();
  host.balance(changetype<usize>(address), changetype<usize>(out));
  return out;
}

/** Sends native balance; runs no code. False, and nothing done, where there is not enough. */
export function trySend(to: Address, amount: U128): bool {
  return host.transfer(changetype<usize>(to), changetype<usize>(amount)) == 0;
}

/** Sends native balance; runs no code. Reverts where there is not enough. */
export function send(to: Address, amount: U128): void {
  require(trySend(to, amount), "the contract has not enough balance");
}

export function blockHeight(): u64 {
  return host.block_height();
}

/** Time of the block, in milliseconds since 1970. */
export function blockTimestampMs(): u64 {
  return host.block_timestamp_ms();
}

export function chainId(): u64 {
  return host.chain_id();
}

export function gasLeft(): u64 {
  return host.gas_left();
}

