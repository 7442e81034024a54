// Generated from token.idl by `heddle contract build`. Do not edit.
import { Address, Bytes, EventWriter, Hash, U128, Writer, call, view } from "heddle";

/** The events, each emitted by the function of its name. */
export namespace emit {
  /** Tokens moved; from the zero address where they were made, to it where they were destroyed. */
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

  /** What `spender` may take from `owner` from now on. */
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

  /** The signature is not the owner's of this permit: another key, amount, spender, chain, token or sequence number. */
  export function InvalidPermit(owner: Address, nonce: u64): void {
    const $error = new Writer(32);
    $error.integer<u32>(0xfcc36a33);
    $error.write<Address>(owner);
    $error.integer<u64>(nonce);
    $error.revert();
  }
}

/**
 * A fungible token. Amounts are in its smallest unit; `decimals` says where people put the point.
 *
 * Besides approvals by transaction there are approvals by signature (permits): the owner signs a message off the chain,
 * and anyone may bring it in and pay for it. A permit names its chain, its token, its place in the owner's sequence of
 * permits, and the time up to which it is good, so it can be used once, here, and in time.
 */
export abstract class TokenInterface {
  /** Runs at deployment. The whole supply goes to `owner`; `minter` may make more, the zero address means that nobody can. */
  abstract init(name: string, symbol: string, decimals: u8, supply: U128, owner: Address, minter: Address): void;

  /**
   * The token's name for people.
   * A view: changes nothing.
   */
  abstract name(): string;

  /**
   * The short name, as in lists of prices.
   * A view: changes nothing.
   */
  abstract symbol(): string;

  /**
   * Digits after the point in amounts shown to people.
   * A view: changes nothing.
   */
  abstract decimals(): u8;

  /**
   * All there is.
   * A view: changes nothing.
   */
  abstract total_supply(): U128;

  /**
   * What an account has.
   * A view: changes nothing.
   */
  abstract balance_of(owner: Address): U128;

  /**
   * What `spender` may still take from `owner`.
   * A view: changes nothing.
   */
  abstract allowance(owner: Address, spender: Address): U128;

  /**
   * Who may make new tokens; the zero address where nobody can.
   * A view: changes nothing.
   */
  abstract minter(): Address;

  /** Moves tokens of the caller. An amount of zero moves nothing and is no error. */
  abstract transfer(to: Address, amount: U128): void;

  /** Lets `spender` take up to `amount` from the caller, instead of what was allowed before. The largest u128 is without limit. */
  abstract approve(spender: Address, amount: U128): void;

  /** Raises what `spender` may take from the caller. */
  abstract increase_allowance(spender: Address, amount: U128): void;

  /** Lowers what `spender` may take from the caller; fails where it is less than `amount`. */
  abstract decrease_allowance(spender: Address, amount: U128): void;

  /** Moves tokens of `from`, which must have allowed the caller as much. */
  abstract transfer_from(from: Address, to: Address, amount: U128): void;

  /** Makes tokens. For the minter only. */
  abstract mint(to: Address, amount: U128): void;

  /** Destroys tokens of the caller. */
  abstract burn(amount: U128): void;

  /** Hands the minter's right on, or gives it up with the zero address. For the minter only. */
  abstract set_minter(minter: Address): void;

  /**
   * Sets an allowance by the owner's signature of `permit_message`. Anyone may call it.
   * `owner_key` is the ed25519 key of the owner, whose address follows from it. `deadline_ms` is the last block time at
   * which the permit is good.
   */
  abstract permit(owner_key: Hash, spender: Address, amount: U128, deadline_ms: u64, signature: Bytes): void;

  /**
   * How many permits of the owner have been used; the next one is signed with this number.
   * A view: changes nothing.
   */
  abstract permit_nonce(owner: Address): u64;

  /**
   * The bytes that an owner signs for its next permit: "heddle token permit 1" ‖ u64le chain id ‖ token ‖ owner ‖
   * spender ‖ u128le amount ‖ u64le nonce ‖ u64le deadline_ms.
   * A view: changes nothing.
   */
  abstract permit_message(owner: Address, spender: Address, amount: U128, deadline_ms: u64): Bytes;
}
