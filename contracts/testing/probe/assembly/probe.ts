import {
  Address,
  addU64,
  Bytes,
  balanceOf,
  blake3,
  blockHeight,
  blockTimestampMs,
  blsVerify,
  Cell,
  call,
  caller,
  chainId,
  ed25519Address,
  ed25519Verify,
  gasLeft,
  Hash,
  I128,
  keccak256,
  Lock,
  log,
  Mapping,
  Mapping2,
  mulDiv,
  mulDivUp,
  mulU64,
  none,
  Option,
  origin,
  secp256k1Recover,
  self,
  send,
  sha256,
  some,
  sqrtOfProduct,
  subU64,
  U128,
  value,
  Writer,
} from "heddle";
import {
  Choice,
  Context,
  Everything,
  emit,
  fail,
  Keys,
  Pair,
  ProbeInterface,
  Values,
} from "../generated/probe";
import { ProbeClient } from "../generated/probe-client";

/** A global with a computed value, initialized at the start of every call. */
const STARTED: Array<u8> = [3, 2, 1].map<u8>((n: i32) => <u8>n);

export class Probe extends ProbeInterface {
  private readonly greeting: Cell<string> = new Cell<string>(0);
  private readonly bySmall: Mapping<u8, u64> = new Mapping<u8, u64>(1);
  private readonly byNumber: Mapping<u64, u64> = new Mapping<u64, u64>(2);
  private readonly byWho: Mapping<Address, u64> = new Mapping<Address, u64>(3);
  private readonly byDigest: Mapping<Hash, u64> = new Mapping<Hash, u64>(4);
  private readonly byText: Mapping<string, u64> = new Mapping<string, u64>(5);
  private readonly byWide: Mapping<U128, u64> = new Mapping<U128, u64>(6);
  private readonly byFlag: Mapping<bool, u64> = new Mapping<bool, u64>(7);
  private readonly byData: Mapping<Bytes, u64> = new Mapping<Bytes, u64>(8);
  private readonly byBoth: Mapping2<Address, u64, u64> = new Mapping2<Address, u64, u64>(9);
  private readonly byTwoTexts: Mapping2<string, string, u64> = new Mapping2<string, string, u64>(10);
  private readonly number: Cell<u32> = new Cell<u32>(20);
  private readonly flag: Cell<bool> = new Cell<bool>(21);
  private readonly wide: Cell<U128> = new Cell<U128>(22);
  private readonly who: Cell<Address> = new Cell<Address>(23);
  private readonly digest: Cell<Hash> = new Cell<Hash>(24);
  private readonly text: Cell<string> = new Cell<string>(25);
  private readonly data: Cell<Bytes> = new Cell<Bytes>(26);
  private readonly pair: Cell<Pair> = new Cell<Pair>(27);
  private readonly list: Cell<Array<u16>> = new Cell<Array<u16>>(28);
  private readonly maybe: Cell<Option<u8>> = new Cell<Option<u8>>(29);
  private readonly signed: Cell<i64> = new Cell<i64>(30);
  private readonly lock: Lock = new Lock(63);

  init(greeting: string): void {
    this.greeting.set(greeting);
  }

  migrate(greeting: string): string {
    const before = this.greeting.get();
    this.greeting.set(greeting);
    return before;
  }

  echo(value: Everything): Everything {
    return value;
  }

  echo_optional(a: Option<u64>, b: Option<string>): Option<string> {
    if (a.isSome && b.isSome) return some<string>(b.value + ":" + a.value.toString());
    return b;
  }

  echo_lists(
    matrix: Array<Array<u16>>,
    short: Array<u8>,
    choices: Array<Option<Choice>>,
  ): Array<Option<Choice>> {
    const all = choices.slice();
    for (let i = 0; i < matrix.length; i++) {
      all.push(some<Choice>(Choice.Number((<u64>matrix[i][0] << 16) | matrix[i][1])));
    }
    all.push(some<Choice>(Choice.List(short)));
    return all;
  }

  constants(): Array<Choice> {
    return [Choice.List(STARTED), Choice.Pair(new Pair(1, 2)), Choice.Nothing()];
  }

  u128_add(a: U128, b: U128): U128 {
    return a + b;
  }

  u128_sub(a: U128, b: U128): U128 {
    return a - b;
  }

  u128_mul(a: U128, b: U128): U128 {
    return a * b;
  }

  u128_div(a: U128, b: U128): U128 {
    return a / b;
  }

  u128_rem(a: U128, b: U128): U128 {
    return a % b;
  }

  u128_compare(a: U128, b: U128): Array<bool> {
    return [a == b, a != b, a < b, a > b, a <= b, a >= b, a.isZero];
  }

  mul_div(a: U128, b: U128, divisor: U128): U128 {
    return mulDiv(a, b, divisor);
  }

  mul_div_up(a: U128, b: U128, divisor: U128): U128 {
    return mulDivUp(a, b, divisor);
  }

  sqrt_of_product(a: U128, b: U128): U128 {
    return sqrtOfProduct(a, b);
  }

  i128_add(a: I128, b: I128): I128 {
    return a + b;
  }

  i128_sub(a: I128, b: I128): I128 {
    return a - b;
  }

  i128_less(a: I128, b: I128): bool {
    return a < b && b > a && a <= b && !(a >= b) && a != b && !(a == b);
  }

  u64_ops(a: u64, b: u64): Array<u64> {
    return [addU64(a, b), subU64(a, b)];
  }

  u64_mul(a: u64, b: u64): u64 {
    return mulU64(a, b);
  }

  digests(data: Bytes): Array<Hash> {
    return [sha256(data), blake3(data), keccak256(data)];
  }

  ed25519(message: Bytes, signature: Bytes, key: Hash): bool {
    return ed25519Verify(message, signature, key);
  }

  ed25519_address(key: Hash): Address {
    return ed25519Address(key);
  }

  secp256k1(digest: Hash, signature: Bytes, recoveryId: u32): Address {
    return secp256k1Recover(digest, signature, recoveryId);
  }

  bls(message: Bytes, signature: Bytes, key: Bytes): bool {
    return blsVerify(message, signature, key);
  }

  context(): Context {
    return new Context(
      caller(),
      origin(),
      self(),
      value(),
      balanceOf(self()),
      blockHeight(),
      blockTimestampMs(),
      chainId(),
      gasLeft(),
    );
  }

  pay(to: Address, amount: U128): U128 {
    send(to, amount);
    return value();
  }

  log_text(text: string): void {
    log(text);
  }

  precedes(a: Address, b: Address): bool {
    return a < b;
  }

  slice(data: Bytes, start: u32, end: u32): Bytes {
    return data.slice(start, end);
  }

  index_out_of_bounds(): u8 {
    return STARTED[7];
  }

  put(key: Keys, value: u64): void {
    this.bySmall.set(key.small, value);
    this.byNumber.set(key.number, value + 1);
    this.byWho.set(key.who, value + 2);
    this.byDigest.set(key.digest, value + 3);
    this.byText.set(key.text, value + 4);
    this.byWide.set(key.wide, value + 5);
    this.byFlag.set(key.flag, value + 6);
    this.byData.set(key.data, value + 7);
    this.byBoth.set(key.who, key.number, value + 8);
    this.byTwoTexts.set(key.text, key.text, value + 9);
  }

  get(key: Keys): Array<u64> {
    return [
      this.bySmall.get(key.small),
      this.byNumber.get(key.number),
      this.byWho.get(key.who),
      this.byDigest.get(key.digest),
      this.byText.get(key.text),
      this.byWide.get(key.wide),
      this.byFlag.get(key.flag),
      this.byData.get(key.data),
      this.byBoth.get(key.who, key.number),
      this.byTwoTexts.get(key.text, key.text),
    ];
  }

  put_values(values: Values): void {
    this.number.set(values.number);
    this.flag.set(values.flag);
    this.wide.set(values.wide);
    this.who.set(values.who);
    this.digest.set(values.digest);
    this.text.set(values.text);
    this.data.set(values.data);
    this.pair.set(values.pair);
    this.list.set(values.list);
    this.maybe.set(values.maybe);
    this.signed.set(values.signed);
  }

  get_values(): Values {
    return new Values(
      this.number.get(),
      this.flag.get(),
      this.wide.get(),
      this.who.get(),
      this.digest.get(),
      this.text.get(),
      this.data.get(),
      this.pair.get(),
      this.list.get(),
      this.maybe.get(),
      this.signed.get(),
    );
  }

  remove_values(): bool {
    const had = this.text.remove() && this.wide.remove() && this.number.remove();
    return had && !this.text.exists();
  }

  has_values(): bool {
    return this.text.exists() && this.wide.exists();
  }

  clash(): void {
    new Cell<u8>(20);
  }

  with_lock(target: Address, depth: u8): void {
    this.lock.acquire();
    if (depth > 0) new ProbeClient(target).with_lock(target, depth - 1);
    this.lock.release();
  }

  emit_all(a: u64, b: Address, c: string, d: Everything, e: Option<u8>): void {
    emit.Small(a, b, c, d);
    emit.Large(d, e);
    emit.Empty();
  }

  fail_with(value: Everything, count: u64): void {
    if (count == 0) fail.Nothing();
    fail.Bad(value, count);
  }

  call_other(target: Address, a: U128, b: U128): U128 {
    return new ProbeClient(target).u128_sub(a, b);
  }

  call_status(target: Address, input: Bytes, gas: u64): u8 {
    const writer = new Writer(input.length);
    writer.raw(input.pointer, input.length);
    return <u8>call(target, U128.zero(), gas, writer);
  }
}
