// Generated from ../token/token.idl by `heddle contract build`. Do not edit.
import { Address, Bytes, Hash, U128, Writer, call, expectSuccess, view } from "heddle";

/**
 * Token at an address. If a call fails, the calling contract reverts, with the callee's data if it reverted.
 */
@final
export class TokenClient {
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  /** The token's display name. */
  name(): string {
    const $input = new Writer(4);
    $input.integer<u32>(0xccf5b947);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.string(64);
    $output.finish();
    return $result;
  }

  /** The token's ticker symbol. */
  symbol(): string {
    const $input = new Writer(4);
    $input.integer<u32>(0xaffac4df);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.string(16);
    $output.finish();
    return $result;
  }

  /** Decimal places of displayed amounts. */
  decimals(): u8 {
    const $input = new Writer(4);
    $input.integer<u32>(0x8e4082b7);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.integer<u8>();
    $output.finish();
    return $result;
  }

  total_supply(): U128 {
    const $input = new Writer(4);
    $input.integer<u32>(0xa840d970);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  /** The balance of an account. */
  balance_of(owner: Address): U128 {
    const $input = new Writer(24);
    $input.integer<u32>(0x6b90bb4a);
    $input.write<Address>(owner);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  /** The amount that `spender` may still transfer from `owner`. */
  allowance(owner: Address, spender: Address): U128 {
    const $input = new Writer(44);
    $input.integer<u32>(0x61643d98);
    $input.write<Address>(owner);
    $input.write<Address>(spender);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  /** The account that may mint tokens, or the zero address. */
  minter(): Address {
    const $input = new Writer(4);
    $input.integer<u32>(0x954874af);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<Address>();
    $output.finish();
    return $result;
  }

  /** Transfers the caller's tokens. An amount of zero is allowed. */
  transfer(to: Address, amount: U128): void {
    const $input = new Writer(40);
    $input.integer<u32>(0xc5e45cc2);
    $input.write<Address>(to);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /**
   * Sets the allowance of `spender` for the caller's tokens, replacing the previous one. The largest u128 means
   * unlimited.
   */
  approve(spender: Address, amount: U128): void {
    const $input = new Writer(40);
    $input.integer<u32>(0x98cd1dd3);
    $input.write<Address>(spender);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Raises the allowance of `spender` for the caller's tokens. */
  increase_allowance(spender: Address, amount: U128): void {
    const $input = new Writer(40);
    $input.integer<u32>(0x6c5e61db);
    $input.write<Address>(spender);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Lowers the allowance of `spender` for the caller's tokens; fails if the allowance is less than `amount`. */
  decrease_allowance(spender: Address, amount: U128): void {
    const $input = new Writer(40);
    $input.integer<u32>(0xf8b968f4);
    $input.write<Address>(spender);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Transfers tokens from `from`, within the caller's allowance. */
  transfer_from(from: Address, to: Address, amount: U128): void {
    const $input = new Writer(60);
    $input.integer<u32>(0x8f8c87f5);
    $input.write<Address>(from);
    $input.write<Address>(to);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Mints tokens. Only the minter may call this. */
  mint(to: Address, amount: U128): void {
    const $input = new Writer(40);
    $input.integer<u32>(0x0a1cfce5);
    $input.write<Address>(to);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Burns the caller's tokens. */
  burn(amount: U128): void {
    const $input = new Writer(20);
    $input.integer<u32>(0x49e0f669);
    $input.write<U128>(amount);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Transfers the right to mint, or renounces it with the zero address. Only the minter may call this. */
  set_minter(minter: Address): void {
    const $input = new Writer(24);
    $input.integer<u32>(0x8e937b50);
    $input.write<Address>(minter);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /**
   * Sets an allowance that the owner has authorized by signing `permit_message`. Anyone may call it. `owner_key` is
   * the owner's ed25519 key, which determines the address. `deadline_ms` is the last block time at which the permit
   * is valid.
   */
  permit(owner_key: Hash, spender: Address, amount: U128, deadline_ms: u64, signature: Bytes): void {
    const $input = new Writer(144);
    $input.integer<u32>(0xfde9d823);
    $input.write<Hash>(owner_key);
    $input.write<Address>(spender);
    $input.write<U128>(amount);
    $input.integer<u64>(deadline_ms);
    $input.fixedBytes(signature, 64);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  /** Number of permits that the owner has used; the next one is signed with this number. */
  permit_nonce(owner: Address): u64 {
    const $input = new Writer(24);
    $input.integer<u32>(0x472beb3b);
    $input.write<Address>(owner);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.integer<u64>();
    $output.finish();
    return $result;
  }

  /**
   * The bytes that an owner signs for the next permit: "heddle token permit 1" ‖ u64le chain id ‖ token ‖ owner ‖
   * spender ‖ u128le amount ‖ u64le nonce ‖ u64le deadline_ms.
   */
  permit_message(owner: Address, spender: Address, amount: U128, deadline_ms: u64): Bytes {
    const $input = new Writer(68);
    $input.integer<u32>(0x87bbc20a);
    $input.write<Address>(owner);
    $input.write<Address>(spender);
    $input.write<U128>(amount);
    $input.integer<u64>(deadline_ms);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bytes();
    $output.finish();
    return $result;
  }
}
