import {
  Address,
  addU64,
  blockTimestampMs,
  Cell,
  caller,
  Mapping,
  none,
  Option,
  self,
  send,
  some,
  U128,
  value,
} from "heddle";
import { emit, fail, Record, RegistryInterface } from "../generated/registry";

const YEAR_MS: u64 = 365 * 24 * 60 * 60 * 1000;
const GRACE_MS: u64 = 30 * 24 * 60 * 60 * 1000;
const MOST_YEARS: u8 = 100;

/** Implements registry.idl. */
export class Registry extends RegistryInterface {
  private readonly ownerCell: Cell<Address> = new Cell<Address>(0);
  private readonly feePerYear: Cell<U128> = new Cell<U128>(1);
  private readonly records: Mapping<string, Record> = new Mapping<string, Record>(2);

  init(owner: Address, feePerYear: U128): void {
    expectAddress(owner);
    this.ownerCell.set(owner);
    this.feePerYear.set(feePerYear);
    emit.OwnerChanged(Address.zero(), owner);
    emit.FeeChanged(feePerYear);
  }

  register(name: string, years: u8, target: Address): u64 {
    expectName(name);
    const now = blockTimestampMs();
    const found = this.record(name);
    if (found.isSome && now <= addU64(found.value.expires_ms, GRACE_MS)) {
      fail.NameTaken(name, found.value.owner);
    }
    const change = this.collect(years);
    const owner = caller();
    const expires = addU64(now, <u64>years * YEAR_MS);
    this.records.set(name, new Record(owner, target, expires));
    emit.Registered(name, owner, target, expires);
    giveBack(owner, change);
    return expires;
  }

  renew(name: string, years: u8): u64 {
    const found = this.record(name);
    if (found.isNone || blockTimestampMs() > addU64(found.value.expires_ms, GRACE_MS)) {
      fail.NotRegistered(name);
    }
    const record = found.value;
    const payer = caller();
    // During the grace period only the owner may renew: others must not keep an abandoned name alive.
    if (blockTimestampMs() > record.expires_ms && payer != record.owner) fail.NotOwner(payer);
    const change = this.collect(years);
    record.expires_ms = addU64(record.expires_ms, <u64>years * YEAR_MS);
    // A renewal never extends a name beyond the maximum number of years from now.
    if (record.expires_ms > addU64(blockTimestampMs(), <u64>MOST_YEARS * YEAR_MS)) fail.InvalidYears(years);
    this.records.set(name, record);
    emit.Renewed(name, record.expires_ms, value() - change);
    giveBack(payer, change);
    return record.expires_ms;
  }

  set_target(name: string, target: Address): void {
    const record = this.ownRecord(name);
    record.target = target;
    this.records.set(name, record);
    emit.TargetChanged(name, target);
  }

  transfer(name: string, to: Address): void {
    expectAddress(to);
    const record = this.ownRecord(name);
    const from = record.owner;
    record.owner = to;
    this.records.set(name, record);
    emit.Transferred(name, from, to);
  }

  release(name: string): void {
    const record = this.ownRecord(name);
    this.records.remove(name);
    emit.Given(name, record.owner);
  }

  set_fee(feePerYear: U128): void {
    this.onlyOwner();
    this.feePerYear.set(feePerYear);
    emit.FeeChanged(feePerYear);
  }

  withdraw(to: Address, amount: U128): void {
    this.onlyOwner();
    expectAddress(to);
    emit.Withdrawn(to, amount);
    send(to, amount);
  }

  set_owner(owner: Address): void {
    const previous = this.onlyOwner();
    expectAddress(owner);
    this.ownerCell.set(owner);
    emit.OwnerChanged(previous, owner);
  }

  resolve(name: string): Option<Address> {
    const found = this.record(name);
    if (found.isNone || blockTimestampMs() > found.value.expires_ms) return none<Address>();
    return some<Address>(found.value.target);
  }

  record(name: string): Option<Record> {
    return this.records.find(name);
  }

  is_available(name: string): bool {
    if (!isName(name)) return false;
    const found = this.record(name);
    return found.isNone || blockTimestampMs() > addU64(found.value.expires_ms, GRACE_MS);
  }

  fee(years: u8): U128 {
    return this.feePerYear.get() * new U128(years);
  }

  owner(): Address {
    return this.ownerCell.get();
  }

  /** Returns the amount sent in excess of the fee; reverts if the fee is not covered. */
  private collect(years: u8): U128 {
    if (years == 0 || years > MOST_YEARS) fail.InvalidYears(years);
    const required = this.fee(years);
    const paid = value();
    if (paid < required) fail.FeeNotPaid(required, paid);
    return paid - required;
  }

  private ownRecord(name: string): Record {
    const found = this.record(name);
    if (found.isNone || blockTimestampMs() > found.value.expires_ms) fail.NotRegistered(name);
    const sender = caller();
    if (found.value.owner != sender) fail.NotOwner(sender);
    return found.value;
  }

  private onlyOwner(): Address {
    const sender = caller();
    if (sender != this.ownerCell.get()) fail.NotOwner(sender);
    return sender;
  }
}

function giveBack(to: Address, change: U128): void {
  if (!change.isZero) send(to, change);
}

function expectAddress(address: Address): void {
  if (address.isZero || address == self()) fail.InvalidAddress(address);
}

function expectName(name: string): void {
  if (!isName(name)) fail.InvalidName(name);
}

const HYPHEN = 0x2d;

function isName(name: string): bool {
  const length = name.length;
  if (length < 3 || length > 32) return false;
  for (let i = 0; i < length; i++) {
    const c = name.charCodeAt(i);
    const isLetter = c >= 0x61 && c <= 0x7a;
    const isDigit = c >= 0x30 && c <= 0x39;
    const isInnerHyphen = c == HYPHEN && i > 0 && i < length - 1;
    if (!isLetter && !isDigit && !isInnerHyphen) return false;
  }
  return true;
}
