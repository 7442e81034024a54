// Generated from probe.idl by `heddle contract build`. Do not edit.
import { Address, Bytes, Hash, I128, Option, Reader, U128, Writer, call, expectSuccess, none, require, some, view } from "heddle";

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

/**
 * Probe at an address. If a call fails, the calling contract reverts, with the callee's data if it reverted.
 */
@final
export class ProbeClient {
  readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  echo(value: Everything): Everything {
    const $input = new Writer(275);
    $input.integer<u32>(0xaf21cf7a);
    value.encode($input);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<Everything>();
    $output.finish();
    return $result;
  }

  echo_optional(a: Option<u64>, b: Option<string>): Option<string> {
    const $input = new Writer(126);
    $input.integer<u32>(0x15810e41);
    writeU64Option($input, a);
    writeStringOption($input, b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readStringOption($output);
    $output.finish();
    return $result;
  }

  echo_lists(matrix: Array<Array<u16>>, short: Array<u8>, choices: Array<Option<Choice>>): Array<Option<Choice>> {
    const $input = new Writer(196);
    $input.integer<u32>(0x9f092fea);
    writeU16List2List($input, matrix);
    writeU8ListMax3($input, short);
    writeChoiceOptionList($input, choices);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readChoiceOptionList($output);
    $output.finish();
    return $result;
  }

  constants(): Array<Choice> {
    const $input = new Writer(4);
    $input.integer<u32>(0x8fe4ad2b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readChoiceList($output);
    $output.finish();
    return $result;
  }

  u128_add(a: U128, b: U128): U128 {
    const $input = new Writer(36);
    $input.integer<u32>(0xb64b66ec);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  u128_sub(a: U128, b: U128): U128 {
    const $input = new Writer(36);
    $input.integer<u32>(0x3e2178d0);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  u128_mul(a: U128, b: U128): U128 {
    const $input = new Writer(36);
    $input.integer<u32>(0x6cd1a41b);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  u128_div(a: U128, b: U128): U128 {
    const $input = new Writer(36);
    $input.integer<u32>(0x37107060);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  u128_rem(a: U128, b: U128): U128 {
    const $input = new Writer(36);
    $input.integer<u32>(0x64db8f35);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  u128_compare(a: U128, b: U128): Array<bool> {
    const $input = new Writer(36);
    $input.integer<u32>(0x40f5dde1);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readBoolList($output);
    $output.finish();
    return $result;
  }

  mul_div(a: U128, b: U128, divisor: U128): U128 {
    const $input = new Writer(52);
    $input.integer<u32>(0xd5268fc0);
    $input.write<U128>(a);
    $input.write<U128>(b);
    $input.write<U128>(divisor);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  mul_div_up(a: U128, b: U128, divisor: U128): U128 {
    const $input = new Writer(52);
    $input.integer<u32>(0x0a8b1395);
    $input.write<U128>(a);
    $input.write<U128>(b);
    $input.write<U128>(divisor);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  sqrt_of_product(a: U128, b: U128): U128 {
    const $input = new Writer(36);
    $input.integer<u32>(0x896dfdd8);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  i128_add(a: I128, b: I128): I128 {
    const $input = new Writer(36);
    $input.integer<u32>(0xaa1e4612);
    $input.write<I128>(a);
    $input.write<I128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<I128>();
    $output.finish();
    return $result;
  }

  i128_sub(a: I128, b: I128): I128 {
    const $input = new Writer(36);
    $input.integer<u32>(0x833c2f48);
    $input.write<I128>(a);
    $input.write<I128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<I128>();
    $output.finish();
    return $result;
  }

  i128_less(a: I128, b: I128): bool {
    const $input = new Writer(36);
    $input.integer<u32>(0x1af7e3a5);
    $input.write<I128>(a);
    $input.write<I128>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bool();
    $output.finish();
    return $result;
  }

  u64_ops(a: u64, b: u64): Array<u64> {
    const $input = new Writer(20);
    $input.integer<u32>(0xdb6ab836);
    $input.integer<u64>(a);
    $input.integer<u64>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readU64List($output);
    $output.finish();
    return $result;
  }

  u64_mul(a: u64, b: u64): u64 {
    const $input = new Writer(20);
    $input.integer<u32>(0xa13ed5a7);
    $input.integer<u64>(a);
    $input.integer<u64>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.integer<u64>();
    $output.finish();
    return $result;
  }

  digests(data: Bytes): Array<Hash> {
    const $input = new Writer(68);
    $input.integer<u32>(0x700dd5d5);
    $input.bytes(data);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readHashList($output);
    $output.finish();
    return $result;
  }

  ed25519(message: Bytes, signature: Bytes, key: Hash): bool {
    const $input = new Writer(164);
    $input.integer<u32>(0x10f535cd);
    $input.bytes(message);
    $input.fixedBytes(signature, 64);
    $input.write<Hash>(key);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bool();
    $output.finish();
    return $result;
  }

  ed25519_address(key: Hash): Address {
    const $input = new Writer(36);
    $input.integer<u32>(0x33be9d86);
    $input.write<Hash>(key);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<Address>();
    $output.finish();
    return $result;
  }

  secp256k1(digest: Hash, signature: Bytes, recovery_id: u32): Address {
    const $input = new Writer(104);
    $input.integer<u32>(0x6e5d868f);
    $input.write<Hash>(digest);
    $input.fixedBytes(signature, 64);
    $input.integer<u32>(recovery_id);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<Address>();
    $output.finish();
    return $result;
  }

  bls(message: Bytes, signature: Bytes, key: Bytes): bool {
    const $input = new Writer(212);
    $input.integer<u32>(0x6cd5f20c);
    $input.bytes(message);
    $input.fixedBytes(signature, 96);
    $input.fixedBytes(key, 48);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bool();
    $output.finish();
    return $result;
  }

  context(): Context {
    const $input = new Writer(4);
    $input.integer<u32>(0x7d4a7e34);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<Context>();
    $output.finish();
    return $result;
  }

  pay(to: Address, amount: U128, $amount: U128 = U128.zero()): U128 {
    const $input = new Writer(40);
    $input.integer<u32>(0x74c5ef81);
    $input.write<Address>(to);
    $input.write<U128>(amount);
    const $output = expectSuccess(call(this.address, $amount, u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  log_text(text: string): void {
    const $input = new Writer(68);
    $input.integer<u32>(0x9eb47155);
    $input.string(text);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  precedes(a: Address, b: Address): bool {
    const $input = new Writer(44);
    $input.integer<u32>(0x6deff77e);
    $input.write<Address>(a);
    $input.write<Address>(b);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bool();
    $output.finish();
    return $result;
  }

  slice(data: Bytes, start: u32, end: u32): Bytes {
    const $input = new Writer(76);
    $input.integer<u32>(0x897fba63);
    $input.bytes(data);
    $input.integer<u32>(start);
    $input.integer<u32>(end);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bytes();
    $output.finish();
    return $result;
  }

  index_out_of_bounds(): u8 {
    const $input = new Writer(4);
    $input.integer<u32>(0x13e586d8);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.integer<u8>();
    $output.finish();
    return $result;
  }

  put(key: Keys, value: u64): void {
    const $input = new Writer(158);
    $input.integer<u32>(0xdeb42193);
    key.encode($input);
    $input.integer<u64>(value);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  get(key: Keys): Array<u64> {
    const $input = new Writer(150);
    $input.integer<u32>(0x39b393b9);
    key.encode($input);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = readU64List($output);
    $output.finish();
    return $result;
  }

  put_values(values: Values): void {
    const $input = new Writer(160);
    $input.integer<u32>(0x972cc09f);
    values.encode($input);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  get_values(): Values {
    const $input = new Writer(4);
    $input.integer<u32>(0x51b2c6cc);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.read<Values>();
    $output.finish();
    return $result;
  }

  remove_values(): bool {
    const $input = new Writer(4);
    $input.integer<u32>(0x4403d06b);
    const $output = expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input));
    const $result = $output.bool();
    $output.finish();
    return $result;
  }

  has_values(): bool {
    const $input = new Writer(4);
    $input.integer<u32>(0x58335fca);
    const $output = expectSuccess(view(this.address, u64.MAX_VALUE, $input));
    const $result = $output.bool();
    $output.finish();
    return $result;
  }

  clash(): void {
    const $input = new Writer(4);
    $input.integer<u32>(0xa2204e48);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  with_lock(target: Address, depth: u8): void {
    const $input = new Writer(25);
    $input.integer<u32>(0x445135b7);
    $input.write<Address>(target);
    $input.integer<u8>(depth);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  emit_all(a: u64, b: Address, c: string, d: Everything, e: Option<u8>): void {
    const $input = new Writer(428);
    $input.integer<u32>(0x1eac9300);
    $input.integer<u64>(a);
    $input.write<Address>(b);
    $input.string(c);
    d.encode($input);
    writeU8Option($input, e);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  fail_with(value: Everything, count: u64): void {
    const $input = new Writer(283);
    $input.integer<u32>(0x5098e2bf);
    value.encode($input);
    $input.integer<u64>(count);
    expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input)).finish();
  }

  call_other(target: Address, a: U128, b: U128): U128 {
    const $input = new Writer(56);
    $input.integer<u32>(0x16502981);
    $input.write<Address>(target);
    $input.write<U128>(a);
    $input.write<U128>(b);
    const $output = expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input));
    const $result = $output.read<U128>();
    $output.finish();
    return $result;
  }

  call_status(target: Address, input: Bytes, gas: u64): u8 {
    const $input = new Writer(96);
    $input.integer<u32>(0x1c190bb5);
    $input.write<Address>(target);
    $input.bytes(input);
    $input.integer<u64>(gas);
    const $output = expectSuccess(call(this.address, U128.zero(), u64.MAX_VALUE, $input));
    const $result = $output.integer<u8>();
    $output.finish();
    return $result;
  }
}

function readU64Option($reader: Reader): Option<u64> {
  return $reader.bool() ? some<u64>($reader.integer<u64>()) : none<u64>();
}

function writeU64Option($writer: Writer, value: Option<u64>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  $writer.integer<u64>(item);
}

function readStringOption($reader: Reader): Option<string> {
  return $reader.bool() ? some<string>($reader.string()) : none<string>();
}

function writeStringOption($writer: Writer, value: Option<string>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  $writer.string(item);
}

function readU16List2List($reader: Reader): Array<Array<u16>> {
  const length: i32 = $reader.listLength(4);
  const list = new Array<Array<u16>>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = readU16List2($reader)));
  return list;
}

function writeU16List2List($writer: Writer, value: Array<Array<u16>>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    writeU16List2($writer, item);
  }
}

function readU16List2($reader: Reader): Array<u16> {
  const length: i32 = 2;
  const list = new Array<u16>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.integer<u16>()));
  return list;
}

function writeU16List2($writer: Writer, value: Array<u16>): void {
  const length = value.length;
  $writer.expectLength(length, 2);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<u16>(item);
  }
}

function readU8ListMax3($reader: Reader): Array<u8> {
  const length: i32 = $reader.listLength(1, 3);
  const list = new Array<u8>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.integer<u8>()));
  return list;
}

function writeU8ListMax3($writer: Writer, value: Array<u8>): void {
  const length = value.length;
  $writer.listLength(length, 3);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<u8>(item);
  }
}

function readChoiceOptionList($reader: Reader): Array<Option<Choice>> {
  const length: i32 = $reader.listLength(1);
  const list = new Array<Option<Choice>>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = readChoiceOption($reader)));
  return list;
}

function writeChoiceOptionList($writer: Writer, value: Array<Option<Choice>>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    writeChoiceOption($writer, item);
  }
}

function readChoiceOption($reader: Reader): Option<Choice> {
  return $reader.bool() ? some<Choice>($reader.read<Choice>()) : none<Choice>();
}

function writeChoiceOption($writer: Writer, value: Option<Choice>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  item.encode($writer);
}

function readChoiceList($reader: Reader): Array<Choice> {
  const length: i32 = $reader.listLength(1);
  const list = new Array<Choice>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.read<Choice>()));
  return list;
}

function writeChoiceList($writer: Writer, value: Array<Choice>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    item.encode($writer);
  }
}

function readBoolList($reader: Reader): Array<bool> {
  const length: i32 = $reader.listLength(1);
  const list = new Array<bool>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.bool()));
  return list;
}

function writeBoolList($writer: Writer, value: Array<bool>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<bool>(item);
  }
}

function readU64List($reader: Reader): Array<u64> {
  const length: i32 = $reader.listLength(8);
  const list = new Array<u64>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.integer<u64>()));
  return list;
}

function writeU64List($writer: Writer, value: Array<u64>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.integer<u64>(item);
  }
}

function readHashList($reader: Reader): Array<Hash> {
  const length: i32 = $reader.listLength(32);
  const list = new Array<Hash>(length);
  for (let i = 0; i < length; i++) unchecked((list[i] = $reader.read<Hash>()));
  return list;
}

function writeHashList($writer: Writer, value: Array<Hash>): void {
  const length = value.length;
  $writer.listLength(length);
  for (let i = 0; i < length; i++) {
    const item = unchecked(value[i]);
    $writer.write<Hash>(item);
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
