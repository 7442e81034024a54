import {
  Address,
  Bytes,
  blockTimestampMs,
  Cell,
  caller,
  chainId,
  ed25519Address,
  ed25519Verify,
  Hash,
  Mapping,
  Mapping2,
  self,
  U128,
  Writer,
} from "heddle";
import { emit, fail, TokenInterface } from "../generated/token";

/** Implements token.idl. */
export class Token extends TokenInterface {
  private readonly tokenName: Cell<string> = new Cell<string>(0);
  private readonly tokenSymbol: Cell<string> = new Cell<string>(1);
  private readonly tokenDecimals: Cell<u8> = new Cell<u8>(2);
  private readonly supply: Cell<U128> = new Cell<U128>(3);
  private readonly balances: Mapping<Address, U128> = new Mapping<Address, U128>(4);
  private readonly allowances: Mapping2<Address, Address, U128> = new Mapping2<Address, Address, U128>(5);
  private readonly minterCell: Cell<Address> = new Cell<Address>(6);
  private readonly permitNonces: Mapping<Address, u64> = new Mapping<Address, u64>(7);

  init(name: string, symbol: string, decimals: u8, supply: U128, owner: Address, minter: Address): void {
    this.tokenName.set(name);
    this.tokenSymbol.set(symbol);
    this.tokenDecimals.set(decimals);
    this.minterCell.set(minter);
    emit.MinterChanged(Address.zero(), minter);
    if (!supply.isZero) this.create(owner, supply);
  }

  name(): string {
    return this.tokenName.get();
  }

  symbol(): string {
    return this.tokenSymbol.get();
  }

  decimals(): u8 {
    return this.tokenDecimals.get();
  }

  total_supply(): U128 {
    return this.supply.get();
  }

  balance_of(owner: Address): U128 {
    return this.balances.get(owner);
  }

  allowance(owner: Address, spender: Address): U128 {
    return this.allowances.get(owner, spender);
  }

  minter(): Address {
    return this.minterCell.get();
  }

  transfer(to: Address, amount: U128): void {
    this.move(caller(), to, amount);
  }

  approve(spender: Address, amount: U128): void {
    this.allow(caller(), spender, amount);
  }

  increase_allowance(spender: Address, amount: U128): void {
    const owner = caller();
    this.allow(owner, spender, this.allowances.get(owner, spender) + amount);
  }

  decrease_allowance(spender: Address, amount: U128): void {
    const owner = caller();
    const allowed = this.allowances.get(owner, spender);
    if (allowed < amount) fail.InsufficientAllowance(allowed, amount);
    this.allow(owner, spender, allowed - amount);
  }

  transfer_from(from: Address, to: Address, amount: U128): void {
    const spender = caller();
    const allowed = this.allowances.get(from, spender);
    if (allowed < amount) fail.InsufficientAllowance(allowed, amount);
    if (allowed != U128.max() && !amount.isZero) this.allowances.set(from, spender, allowed - amount);
    this.move(from, to, amount);
  }

  mint(to: Address, amount: U128): void {
    this.onlyMinter();
    this.create(to, amount);
  }

  burn(amount: U128): void {
    const owner = caller();
    this.take(owner, amount);
    this.supply.set(this.supply.get() - amount);
    emit.Transfer(owner, Address.zero(), amount);
  }

  set_minter(minter: Address): void {
    const previous = this.onlyMinter();
    this.minterCell.set(minter);
    emit.MinterChanged(previous, minter);
  }

  permit(ownerKey: Hash, spender: Address, amount: U128, deadlineMs: u64, signature: Bytes): void {
    const now = blockTimestampMs();
    if (now > deadlineMs) fail.PermitExpired(deadlineMs, now);
    const owner = ed25519Address(ownerKey);
    const nonce = this.permitNonces.get(owner);
    const message = permitMessage(owner, spender, amount, nonce, deadlineMs);
    if (!ed25519Verify(message, signature, ownerKey)) fail.InvalidPermit(owner, nonce);
    this.permitNonces.set(owner, nonce + 1);
    this.allow(owner, spender, amount);
  }

  permit_nonce(owner: Address): u64 {
    return this.permitNonces.get(owner);
  }

  permit_message(owner: Address, spender: Address, amount: U128, deadlineMs: u64): Bytes {
    return permitMessage(owner, spender, amount, this.permitNonces.get(owner), deadlineMs);
  }

  private move(from: Address, to: Address, amount: U128): void {
    expectRecipient(to);
    this.take(from, amount);
    // The recipient's balance is read after the sender's is written, so that transfers to oneself are correct.
    this.give(to, amount);
    emit.Transfer(from, to, amount);
  }

  /** Balances cannot overflow: their sum is the supply, which is checked. */
  private create(to: Address, amount: U128): void {
    expectRecipient(to);
    this.supply.set(this.supply.get() + amount);
    this.give(to, amount);
    emit.Transfer(Address.zero(), to, amount);
  }

  private take(from: Address, amount: U128): void {
    const balance = this.balances.get(from);
    if (balance < amount) fail.InsufficientBalance(balance, amount);
    if (!amount.isZero) this.balances.set(from, balance - amount);
  }

  private give(to: Address, amount: U128): void {
    if (!amount.isZero) this.balances.set(to, this.balances.get(to) + amount);
  }

  private allow(owner: Address, spender: Address, amount: U128): void {
    this.allowances.set(owner, spender, amount);
    emit.Approval(owner, spender, amount);
  }

  private onlyMinter(): Address {
    const sender = caller();
    const minter = this.minterCell.get();
    if (minter.isZero || sender != minter) fail.NotMinter(sender);
    return minter;
  }
}

function expectRecipient(to: Address): void {
  if (to.isZero || to == self()) fail.InvalidRecipient(to);
}

/** Domain prefix of permits; nothing else that an account signs begins with it. */
const PERMIT_DOMAIN = "heddle token permit 1";

function permitMessage(owner: Address, spender: Address, amount: U128, nonce: u64, deadlineMs: u64): Bytes {
  const writer = new Writer(128);
  for (let i = 0; i < PERMIT_DOMAIN.length; i++) writer.integer<u8>(<u8>PERMIT_DOMAIN.charCodeAt(i));
  writer.integer<u64>(chainId());
  writer.write<Address>(self());
  writer.write<Address>(owner);
  writer.write<Address>(spender);
  writer.write<U128>(amount);
  writer.integer<u64>(nonce);
  writer.integer<u64>(deadlineMs);
  return writer.toBytes();
}
