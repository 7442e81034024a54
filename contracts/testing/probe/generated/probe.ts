// Generated from probe.idl by `heddle contract build`. Do not edit.
import { Address, Bytes, EventWriter, Hash, I128, Option, Reader, U128, Writer, call, none, require, some, view } from "heddle";

@final
export class Everything {
  constructor(
    public flag: bool,
    public a: u8,
    public b: u16,
    public c: u32,
    public d: u64,
    public e: U128,
    public f: i8,
    public g: i16,
    public h: i32,
    public i: i64,
    public j: I128,
    public text: string,
    public short: string,
    public data: Bytes,
    public four: Bytes,
    public key: Hash,
    public who: Address,
    public digest: Hash,
    public list: Array<u32>,
    public pair: Array<Address>,
    public maybe: Option<U128>,
    public tree: Option<Tree>,
    public choice: Choice,
    /** A reserved word of AssemblyScript. */
    public new_: bool,
  ) {}

  encode($writer: Writer): void {
    $writer.integer<bool>(this.flag);
    $writer.integer<u8>(this.a);
    $writer.integer<u16>(this.b);
    $writer.integer<u32>(this.c);
    $writer.integer<u64>(this.d);
    $writer.write<U128>(this.e);
    $writer.integer<i8>(this.f);
    $writer.integer<i16>(this.g);
    $writer.integer<i32>(this.h);
    $writer.integer<i64>(this.i);
    $writer.write<I128>(this.j);
    $writer.string(this.text);
    $writer.string(this.short, 5);
    $writer.bytes(this.data);
    $writer.fixedBytes(this.four, 4);
    $writer.write<Hash>(this.key);
    $writer.write<Address>(this.who);
    $writer.write<Hash>(this.digest);
    writeU32List($writer, this.list);
    writeAddressList2($writer, this.pair);
    writeU128Option($writer, this.maybe);
    writeTreeOption($writer, this.tree);
    this.choice.encode($writer);
    $writer.integer<bool>(this.new_);
  }

  decode($reader: Reader): void {
    this.flag = $reader.bool();
    this.a = $reader.integer<u8>();
    this.b = $reader.integer<u16>();
    this.c = $reader.integer<u32>();
    this.d = $reader.integer<u64>();
    this.e = $reader.read<U128>();
    this.f = $reader.integer<i8>();
    this.g = $reader.integer<i16>();
    this.h = $reader.integer<i32>();
    this.i = $reader.integer<i64>();
    this.j = $reader.read<I128>();
    this.text = $reader.string();
    this.short = $reader.string(5);
    this.data = $reader.bytes();
    this.four = $reader.fixedBytes(4);
    this.key = $reader.read<Hash>();
    this.who = $reader.read<Address>();
    this.digest = $reader.read<Hash>();
    this.list = readU32List($reader);
    this.pair = readAddressList2($reader);
    this.maybe = readU128Option($reader);
    this.tree = readTreeOption($reader);
    this.choice = $reader.read<Choice>();
    this.new_ = $reader.bool();
  }
}

@final
export class Tree {
  constructor(
    public children: Array<Tree>,
    public label: u8,
  ) {}

  encode($writer: Writer): void {
    writeTreeList($writer, this.children);
    $writer.integer<u8>(this.label);
  }

  decode($reader: Reader): void {
    this.children = readTreeList($reader);
    this.label = $reader.integer<u8>();
  }
}

@final
export class Pair {
  constructor(
    public left: u8,
    public right: u8,
  ) {}

  encode($writer: Writer): void {
    $writer.integer<u8>(this.left);
    $writer.integer<u8>(this.right);
  }

  decode($reader: Reader): void {
    this.left = $reader.integer<u8>();
    this.right = $reader.integer<u8>();
  }
}

@final
export class Keys {
  constructor(
    public small: u8,
    public number: u64,
    public who: Address,
    public digest: Hash,
    public text: string,
    public wide: U128,
    public flag: bool,
    public data: Bytes,
  ) {}

  encode($writer: Writer): void {
    $writer.integer<u8>(this.small);
    $writer.integer<u64>(this.number);
    $writer.write<Address>(this.who);
    $writer.write<Hash>(this.digest);
    $writer.string(this.text);
    $writer.write<U128>(this.wide);
    $writer.integer<bool>(this.flag);
    $writer.bytes(this.data);
  }

  decode($reader: Reader): void {
    this.small = $reader.integer<u8>();
    this.number = $reader.integer<u64>();
    this.who = $reader.read<Address>();
    this.digest = $reader.read<Hash>();
    this.text = $reader.string();
    this.wide = $reader.read<U128>();
    this.flag = $reader.bool();
    this.data = $reader.bytes();
  }
}

@final
export class Values {
  constructor(
    public number: u32,
    public flag: bool,
    public wide: U128,
    public who: Address,
    public digest: Hash,
    public text: string,
    public data: Bytes,
    public pair: Pair,
    public list: Array<u16>,
    public maybe: Option<u8>,
    public signed: i64,
  ) {}

  encode($writer: Writer): void {
    $writer.integer<u32>(this.number);
    $writer.integer<bool>(this.flag);
    $writer.write<U128>(this.wide);
    $writer.write<Address>(this.who);
    $writer.write<Hash>(this.digest);
    $writer.string(this.text);
    $writer.bytes(this.data);
    this.pair.encode($writer);
    writeU16List($writer, this.list);
    writeU8Option($writer, this.maybe);
    $writer.integer<i64>(this.signed);
  }

  decode($reader: Reader): void {
    this.number = $reader.integer<u32>();
    this.flag = $reader.bool();
    this.wide = $reader.read<U128>();
    this.who = $reader.read<Address>();
    this.digest = $reader.read<Hash>();
    this.text = $reader.string();
    this.data = $reader.bytes();
    this.pair = $reader.read<Pair>();
    this.list = readU16List($reader);
    this.maybe = readU8Option($reader);
    this.signed = $reader.integer<i64>();
  }
}

@final
export class Context {
  constructor(
    public caller: Address,
    public origin: Address,
    public self: Address,
    public value: U128,
    public balance: U128,
    public height: u64,
    public timestamp_ms: u64,
    public chain_id: u64,
    public gas_left: u64,
  ) {}

  encode($writer: Writer): void {
    $writer.write<Address>(this.caller);
    $writer.write<Address>(this.origin);
    $writer.write<Address>(this.self);
    $writer.write<U128>(this.value);
    $writer.write<U128>(this.balance);
    $writer.integer<u64>(this.height);
    $writer.integer<u64>(this.timestamp_ms);
    $writer.integer<u64>(this.chain_id);
    $writer.integer<u64>(this.gas_left);
  }

  decode($reader: Reader): void {
    this.caller = $reader.read<Address>();
    this.origin = $reader.read<Address>();
    this.self = $reader.read<Address>();
    this.value = $reader.read<U128>();
    this.balance = $reader.read<U128>();
    this.height = $reader.integer<u64>();
    this.timestamp_ms = $reader.integer<u64>();
    this.chain_id = $reader.integer<u64>();
    this.gas_left = $reader.integer<u64>();
  }
}

@final
export class Choice {
  private tag: u8;
  private held1: u64 = 0;
  private held2: U128 = changetype<U128>(0);
  private held3: string = changetype<string>(0);
  private held4: Address = changetype<Address>(0);
  private held5: Array<u8> = changetype<Array<u8>>(0);
  private held6: Pair = changetype<Pair>(0);
  private held7: i8 = 0;

  private constructor(tag: u8) {
    this.tag = tag;
  }

  static Nothing(): Choice {
    return new Choice(0);
  }

  get isNothing(): bool {
    return this.tag == 0;
  }

  static Number(value: u64): Choice {
    const made = new Choice(1);
    made.held1 = value;
    return made;
  }

  get isNumber(): bool {
    return this.tag == 1;
  }

  /** The payload; reverts if this is another variant. */
  get asNumber(): u64 {
    require(this.tag == 1, "expected the variant Number of Choice");
    return this.held1;
  }

  static Wide(value: U128): Choice {
    const made = new Choice(2);
    made.held2 = value;
    return made;
  }

  get isWide(): bool {
    return this.tag == 2;
  }

  /** The payload; reverts if this is another variant. */
  get asWide(): U128 {
    require(this.tag == 2, "expected the variant Wide of Choice");
    return this.held2;
  }

  static Text(value: string): Choice {
    const made = new Choice(3);
    made.held3 = value;
    return made;
  }

  get isText(): bool {
    return this.tag == 3;
  }

  /** The payload; reverts if this is another variant. */
  get asText(): string {
    require(this.tag == 3, "expected the variant Text of Choice");
    return this.held3;
  }

  static Who(value: Address): Choice {
    const made = new Choice(4);
    made.held4 = value;
    return made;
  }

  get isWho(): bool {
    return this.tag == 4;
  }

  /** The payload; reverts if this is another variant. */
  get asWho(): Address {
    require(this.tag == 4, "expected the variant Who of Choice");
    return this.held4;
  }

  static List(value: Array<u8>): Choice {
    const made = new Choice(5);
    made.held5 = value;
    return made;
  }

  get isList(): bool {
    return this.tag == 5;
  }

  /** The payload; reverts if this is another variant. */
  get asList(): Array<u8> {
    require(this.tag == 5, "expected the variant List of Choice");
    return this.held5;
  }

  static Pair(value: Pair): Choice {
    const made = new Choice(6);
    made.held6 = value;
    return made;
  }

  get isPair(): bool {
    return this.tag == 6;
  }

  /** The payload; reverts if this is another variant. */
  get asPair(): Pair {
    require(this.tag == 6, "expected the variant Pair of Choice");
    return this.held6;
  }

  static Signed(value: i8): Choice {
    const made = new Choice(7);
    made.held7 = value;
    return made;
  }

  get isSigned(): bool {
    return this.tag == 7;
  }

  /** The payload; reverts if this is another variant. */
  get asSigned(): i8 {
    require(this.tag == 7, "expected the variant Signed of Choice");
    return this.held7;
  }

  @operator("==")
  private sameVariant(other: Choice): bool {
    return this.tag == other.tag;
  }

  @operator("!=")
  private otherVariant(other: Choice): bool {
    return this.tag != other.tag;
  }

  encode($writer: Writer): void {
    $writer.integer<u8>(this.tag);
    if (this.tag == 1) $writer.integer<u64>(this.held1);
    if (this.tag == 2) $writer.write<U128>(this.held2);
    if (this.tag == 3) $writer.string(this.held3);
    if (this.tag == 4) $writer.write<Address>(this.held4);
    if (this.tag == 5) writeU8List($writer, this.held5);
    if (this.tag == 6) this.held6.encode($writer);
    if (this.tag == 7) $writer.integer<i8>(this.held7);
  }

  decode($reader: Reader): void {
    this.tag = $reader.variant(8);
    if (this.tag == 1) this.held1 = $reader.integer<u64>();
    if (this.tag == 2) this.held2 = $reader.read<U128>();
    if (this.tag == 3) this.held3 = $reader.string();
    if (this.tag == 4) this.held4 = $reader.read<Address>();
    if (this.tag == 5) this.held5 = readU8List($reader);
    if (this.tag == 6) this.held6 = $reader.read<Pair>();
    if (this.tag == 7) this.held7 = $reader.integer<i8>();
  }
}

/** The events. Each function emits the event of its name. */
export namespace emit {
  export function Small(a: u64, b: Address, c: string, d: Everything): void {
    const $event = new EventWriter(memory.data<u8>([184, 172, 59, 137, 109, 113, 248, 138, 189, 225, 99, 102, 87, 118, 149, 202, 229, 228, 181, 102, 224, 58, 39, 178, 35, 38, 100, 249, 89, 211, 57, 237]), 3);
    const $topic0 = new Writer(8);
    $topic0.integer<u64>(a);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(b);
    $event.topic($topic1);
    const $topic2 = new Writer(64);
    $topic2.string(c);
    $event.topic($topic2);
    const $data = new Writer(271);
    d.encode($data);
    $event.emit($data);
  }

  export function Large(d: Everything, e: Option<u8>): void {
    const $event = new EventWriter(memory.data<u8>([202, 209, 65, 183, 174, 191, 103, 151, 102, 180, 194, 88, 224, 22, 239, 251, 65, 0, 65, 106, 112, 175, 46, 131, 64, 212, 32, 117, 114, 229, 218, 210]), 2);
    const $topic0 = new Writer(271);
    d.encode($topic0);
    $event.topic($topic0);
    const $topic1 = new Writer(61);
    writeU8Option($topic1, e);
    $event.topic($topic1);
    const $data = new Writer(0);
    $event.emit($data);
  }

  export function Empty(): void {
    const $event = new EventWriter(memory.data<u8>([228, 74, 114, 22, 74, 136, 224, 189, 140, 143, 88, 249, 12, 97, 216, 126, 120, 249, 86, 153, 95, 49, 154, 88, 166, 204, 227, 24, 44, 135, 116, 94]), 0);
    const $data = new Writer(0);
    $event.emit($data);
  }
}

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  export function Bad(value: Everything, indexed_like: u64): void {
    const $error = new Writer(283);
    $error.integer<u32>(0x49002edb);
    value.encode($error);
    $error.integer<u64>(indexed_like);
    $error.revert();
  }

  export function Nothing(): void {
    const $error = new Writer(4);
    $error.integer<u32>(0x01d6d7bf);
    $error.revert();
  }
}

/** Exercises the SDK for its tests: every type, every operation, every part of storage. */
export abstract class ProbeInterface {
  abstract init(greeting: string): void;

  abstract migrate(greeting: string): string;

  /** A view: changes nothing. */
  abstract echo(value: Everything): Everything;

  /** A view: changes nothing. */
  abstract echo_optional(a: Option<u64>, b: Option<string>): Option<string>;

  /** A view: changes nothing. */
  abstract echo_lists(matrix: Array<Array<u16>>, short: Array<u8>, choices: Array<Option<Choice>>): Array<Option<Choice>>;

  /** A view: changes nothing. */
  abstract constants(): Array<Choice>;

  /** A view: changes nothing. */
  abstract u128_add(a: U128, b: U128): U128;

  /** A view: changes nothing. */
  abstract u128_sub(a: U128, b: U128): U128;

  /** A view: changes nothing. */
  abstract u128_mul(a: U128, b: U128): U128;

  /** A view: changes nothing. */
  abstract u128_div(a: U128, b: U128): U128;

  /** A view: changes nothing. */
  abstract u128_rem(a: U128, b: U128): U128;

  /** A view: changes nothing. */
  abstract u128_compare(a: U128, b: U128): Array<bool>;

  /** A view: changes nothing. */
  abstract mul_div(a: U128, b: U128, divisor: U128): U128;

  /** A view: changes nothing. */
  abstract mul_div_up(a: U128, b: U128, divisor: U128): U128;

  /** A view: changes nothing. */
  abstract sqrt_of_product(a: U128, b: U128): U128;

  /** A view: changes nothing. */
  abstract i128_add(a: I128, b: I128): I128;

  /** A view: changes nothing. */
  abstract i128_sub(a: I128, b: I128): I128;

  /** A view: changes nothing. */
  abstract i128_less(a: I128, b: I128): bool;

  /** A view: changes nothing. */
  abstract u64_ops(a: u64, b: u64): Array<u64>;

  /** A view: changes nothing. */
  abstract u64_mul(a: u64, b: u64): u64;

  /** A view: changes nothing. */
  abstract digests(data: Bytes): Array<Hash>;

  /** A view: changes nothing. */
  abstract ed25519(message: Bytes, signature: Bytes, key: Hash): bool;

  /** A view: changes nothing. */
  abstract ed25519_address(key: Hash): Address;

  /** A view: changes nothing. */
  abstract secp256k1(digest: Hash, signature: Bytes, recovery_id: u32): Address;

  /** A view: changes nothing. */
  abstract bls(message: Bytes, signature: Bytes, key: Bytes): bool;

  /** A view: changes nothing. */
  abstract context(): Context;

  /** Payable. */
  abstract pay(to: Address, amount: U128): U128;

  abstract log_text(text: string): void;

  /** A view: changes nothing. */
  abstract precedes(a: Address, b: Address): bool;

  /** A view: changes nothing. */
  abstract slice(data: Bytes, start: u32, end: u32): Bytes;

  /** A view: changes nothing. */
  abstract index_out_of_bounds(): u8;

  abstract put(key: Keys, value: u64): void;

  /** A view: changes nothing. */
  abstract get(key: Keys): Array<u64>;

  abstract put_values(values: Values): void;

  /** A view: changes nothing. */
  abstract get_values(): Values;

  abstract remove_values(): bool;

  /** A view: changes nothing. */
  abstract has_values(): bool;

  abstract clash(): void;

  abstract with_lock(target: Address, depth: u8): void;

  abstract emit_all(a: u64, b: Address, c: string, d: Everything, e: Option<u8>): void;

  abstract fail_with(value: Everything, count: u64): void;

  abstract call_other(target: Address, a: U128, b: U128): U128;

  abstract call_status(target: Address, input: Bytes, gas: u64): u8;
}

function readU32List($reader: Reader): Array<u32> {
  const length: i32 = $reader.listLength(4);
  const list = new Array<u32>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.integer<u32>()));
  return list;
}

function writeU32List($writer: Writer, value: Array<u32>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<u32>(item);
  }
}

function readAddressList2($reader: Reader): Array<Address> {
  const length: i32 = 2;
  const list = new Array<Address>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.read<Address>()));
  return list;
}

function writeAddressList2($writer: Writer, value: Array<Address>): void {
  const length = value.length;
  $writer.expectLength(length, 2);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.write<Address>(item);
  }
}

function readU128Option($reader: Reader): Option<U128> {
  return $reader.bool() ? some<U128>($reader.read<U128>()) : none<U128>();
}

function writeU128Option($writer: Writer, value: Option<U128>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  $writer.write<U128>(item);
}

function readTreeOption($reader: Reader): Option<Tree> {
  return $reader.bool() ? some<Tree>($reader.read<Tree>()) : none<Tree>();
}

function writeTreeOption($writer: Writer, value: Option<Tree>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  item.encode($writer);
}

function readTreeList($reader: Reader): Array<Tree> {
  const length: i32 = $reader.listLength(5);
  const list = new Array<Tree>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.read<Tree>()));
  return list;
}

function writeTreeList($writer: Writer, value: Array<Tree>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    item.encode($writer);
  }
}

function readU16List($reader: Reader): Array<u16> {
  const length: i32 = $reader.listLength(2);
  const list = new Array<u16>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.integer<u16>()));
  return list;
}

function writeU16List($writer: Writer, value: Array<u16>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<u16>(item);
  }
}

function readU8Option($reader: Reader): Option<u8> {
  return $reader.bool() ? some<u8>($reader.integer<u8>()) : none<u8>();
}

function writeU8Option($writer: Writer, value: Option<u8>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  $writer.integer<u8>(item);
}

function readU8List($reader: Reader): Array<u8> {
  const length: i32 = $reader.listLength(1);
  const list = new Array<u8>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.integer<u8>()));
  return list;
}

function writeU8List($writer: Writer, value: Array<u8>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<u8>(item);
  }
}
