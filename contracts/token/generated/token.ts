// Generated from token.idl by `heddle contract build`. Do not edit.
import { Address, Bytes, EventWriter, Hash, U128, Writer, call, view } from "heddle";

/** The events. Each function emits the event of its name. */
export namespace emit {
  /** Tokens were transferred; `from` is the zero address for mints, `to` for burns. */
  export function Transfer(from: Address, to: Address, amount: U128): void {
    const $event = new EventWriter(memory.data<u8>([84, 215, 125, 118, 243, 95, 66, 169, 62, 48, 97, 90, 176, 57, 13, 40, 250, 85, 47, 173, 28, 205, 143, 255, 160, 223, 71, 129, 153, 90, 178, 125]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(from);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(to);
    $event.topic($topic1);
    const $data = new Writer(16);
    $data.write<U128>(amount);
    $event.emit($data);
  }

  /** The new allowance of `spender` for the tokens of `owner`. */
  export function Approval(owner: Address, spender: Address, amount: U128): void {
    const $event = new EventWriter(memory.data<u8>([63, 42, 119, 216, 165, 204, 177, 63, 86, 152, 3, 168, 233, 12, 79, 176, 18, 210, 205, 92, 95, 214, 119, 210, 168, 62, 137, 0, 253, 111, 89, 91]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(owner);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(spender);
    $event.topic($topic1);
    const $data = new Writer(16);
    $data.write<U128>(amount);
    $event.emit($data);
  }

  export function MinterChanged(previous: Address, minter: Address): void {
    const $event = new EventWriter(memory.data<u8>([82, 89, 149, 124, 77, 109, 212, 251, 36, 169, 73, 43, 199, 16, 8, 32, 181, 72, 182, 62, 185, 248, 229, 99, 48, 168, 204, 178, 10, 205, 55, 114]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(previous);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(minter);
    $event.topic($topic1);
    const $data = new Writer(0);
    $event.emit($data);
  }
}

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  export function InsufficientBalance(available: U128, required: U128): void {
    const $error = new Writer(36);
    $error.integer<u32>(0xfaca77a6);
    $error.write<U128>(available);
    $error.write<U128>(required);
    $error.revert();
  }

  export function InsufficientAllowance(available: U128, required: U128): void {
    const $error = new Writer(36);
    $error.integer<u32>(0x4632e704);
    $error.write<U128>(available);
    $error.write<U128>(required);
    $error.revert();
  }

  /** Tokens sent to the zero address or to the token itself would be lost. */
  export function InvalidRecipient(recipient: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0x27274d2e);
    $error.write<Address>(recipient);
    $error.revert();
  }

  /** The caller is not the minter. */
  export function NotMinter(caller: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0x9655caa6);
    $error.write<Address>(caller);
    $error.revert();
  }

  export function PermitExpired(deadline_ms: u64, now_ms: u64): void {
    const $error = new Writer(20);
    $error.integer<u32>(0x012e91c1);
    $error.integer<u64>(deadline_ms);
    $error.integer<u64>(now_ms);
    $error.revert();
  }

  /**
   * The signature is not the owner's signature of this permit: wrong key, amount, spender, chain, token or sequence
   * number.
   */
  export function InvalidPermit(owner: Address, nonce: u64): void {
    const $error = new Writer(32);
    $error.integer<u32>(0xfcc36a33);
    $error.write<Address>(owner);
    $error.integer<u64>(nonce);
    $error.revert();
  }
}

/**
 * A fungible token. Amounts are in its smallest unit; `decimals` is the number of decimal places for display.
 *
 * Owners approve spenders by transaction or by signature (permit): the owner signs a message off-chain, and anyone
 * may submit it and pay for it. A permit names its chain, token, sequence number and deadline, so it is valid once,
 * for this token alone and until the deadline.
 */
export abstract class TokenInterface {
  /**
   * Runs at deployment. The whole supply goes to `owner`; `minter` may mint more, and the zero address means that no
   * account can.
   */
  abstract init(name: string, symbol: string, decimals: u8, supply: U128, owner: Address, minter: Address): void;

  /**
   * The token's display name.
   * A view: changes nothing.
   */
  abstract name(): string;

  /**
   * The token's ticker symbol.
   * A view: changes nothing.
   */
  abstract symbol(): string;

  /**
   * Decimal places of displayed amounts.
   * A view: changes nothing.
   */
  abstract decimals(): u8;

  /** A view: changes nothing. */
  abstract total_supply(): U128;

  /**
   * The balance of an account.
   * A view: changes nothing.
   */
  abstract balance_of(owner: Address): U128;

  /**
   * The amount that `spender` may still transfer from `owner`.
   * A view: changes nothing.
   */
  abstract allowance(owner: Address, spender: Address): U128;

  /**
   * The account that may mint tokens, or the zero address.
   * A view: changes nothing.
   */
  abstract minter(): Address;

  /** Transfers the caller's tokens. An amount of zero is allowed. */
  abstract transfer(to: Address, amount: U128): void;

  /**
   * Sets the allowance of `spender` for the caller's tokens, replacing the previous one. The largest u128 means
   * unlimited.
   */
  abstract approve(spender: Address, amount: U128): void;

  /** Raises the allowance of `spender` for the caller's tokens. */
  abstract increase_allowance(spender: Address, amount: U128): void;

  /** Lowers the allowance of `spender` for the caller's tokens; fails if the allowance is less than `amount`. */
  abstract decrease_allowance(spender: Address, amount: U128): void;

  /** Transfers tokens from `from`, within the caller's allowance. */
  abstract transfer_from(from: Address, to: Address, amount: U128): void;

  /** Mints tokens. Only the minter may call this. */
  abstract mint(to: Address, amount: U128): void;

  /** Burns the caller's tokens. */
  abstract burn(amount: U128): void;

  /** Transfers the right to mint, or renounces it with the zero address. Only the minter may call this. */
  abstract set_minter(minter: Address): void;

  /**
   * Sets an allowance that the owner has authorized by signing `permit_message`. Anyone may call it. `owner_key` is
   * the owner's ed25519 key, which determines the address. `deadline_ms` is the last block time at which the permit
   * is valid.
   */
  abstract permit(owner_key: Hash, spender: Address, amount: U128, deadline_ms: u64, signature: Bytes): void;

  /**
   * Number of permits that the owner has used; the next one is signed with this number.
   * A view: changes nothing.
   */
  abstract permit_nonce(owner: Address): u64;

  /**
   * The bytes that an owner signs for the next permit: "heddle token permit 1" ‖ u64le chain id ‖ token ‖ owner ‖
   * spender ‖ u128le amount ‖ u64le nonce ‖ u64le deadline_ms.
   * A view: changes nothing.
   */
  abstract permit_message(owner: Address, spender: Address, amount: U128, deadline_ms: u64): Bytes;
}
