import { Address } from "./address";
import * as host from "./host";
import { require } from "./revert";
import { U128 } from "./u128";

/** The caller: an account or another contract. */
export function caller(): Address {
  const out = new Address();
  host.caller(changetype<usize>(out));
  return out;
}

/** The signer of the transaction. Never authorize by it: the signer may have called a malicious contract. */
export function origin(): Address {
  const out = new Address();
  host.origin(changetype<usize>(out));
  return out;
}

/** The address of this contract. */
export function self(): Address {
  const out = new Address();
  host.self(changetype<usize>(out));
  return out;
}

/** The amount sent with this call, already part of the contract's balance. */
export function value(): U128 {
  const out = new U128();
  host.value(changetype<usize>(out));
  return out;
}

/** The native balance of an address. */
export function balanceOf(address: Address): U128 {
  const out = new U128();
  host.balance(changetype<usize>(address), changetype<usize>(out));
  return out;
}

/** Sends native balance without running code. Returns false, and sends nothing, if the balance is too low. */
export function trySend(to: Address, amount: U128): bool {
  return host.transfer(changetype<usize>(to), changetype<usize>(amount)) == 0;
}

/** Sends native balance without running code. Reverts if the balance is too low. */
export function send(to: Address, amount: U128): void {
  require(trySend(to, amount), "the contract has not enough balance");
}

/** Height of the block that runs the call. */
export function blockHeight(): u64 {
  return host.block_height();
}

/** Block time in milliseconds since 1970. */
export function blockTimestampMs(): u64 {
  return host.block_timestamp_ms();
}

/** Id of the chain. */
export function chainId(): u64 {
  return host.chain_id();
}

/** Gas that the call may still use. */
export function gasLeft(): u64 {
  return host.gas_left();
}

