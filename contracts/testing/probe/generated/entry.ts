// Generated from probe.idl by `heddle contract build`. Do not edit.
import { Address, Hash, I128, Option, Reader, U128, Writer, none, refuseValue, require, revert, some } from "heddle";
import { Probe } from "../assembly/probe";
import { Everything, Tree, Pair, Keys, Values, Context, Choice } from "./probe";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Probe();
  switch ($input.integer<u32>()) {
    case 0xaf21cf7a: {
      const value = $input.read<Everything>();
      $input.finish();
      const $result = $contract.echo(value);
      const $output = new Writer(271);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0x15810e41: {
      const a = readU64Option($input);
      const b = readStringOption($input);
      $input.finish();
      const $result = $contract.echo_optional(a, b);
      const $output = new Writer(61);
      writeStringOption($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0x9f092fea: {
      const matrix = readU16List2List($input);
      const short = readU8ListMax3($input);
      const choices = readChoiceOptionList($input);
      $input.finish();
      const $result = $contract.echo_lists(matrix, short, choices);
      const $output = new Writer(64);
      writeChoiceOptionList($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0x8fe4ad2b: {
      $input.finish();
      const $result = $contract.constants();
      const $output = new Writer(64);
      writeChoiceList($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0xb64b66ec: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.u128_add(a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x3e2178d0: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.u128_sub(a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x6cd1a41b: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.u128_mul(a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x37107060: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.u128_div(a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x64db8f35: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.u128_rem(a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x40f5dde1: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.u128_compare(a, b);
      const $output = new Writer(64);
      writeBoolList($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0xd5268fc0: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      const divisor = $input.read<U128>();
      $input.finish();
      const $result = $contract.mul_div(a, b, divisor);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x0a8b1395: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      const divisor = $input.read<U128>();
      $input.finish();
      const $result = $contract.mul_div_up(a, b, divisor);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x896dfdd8: {
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.sqrt_of_product(a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0xaa1e4612: {
      const a = $input.read<I128>();
      const b = $input.read<I128>();
      $input.finish();
      const $result = $contract.i128_add(a, b);
      const $output = new Writer(16);
      $output.write<I128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x833c2f48: {
      const a = $input.read<I128>();
      const b = $input.read<I128>();
      $input.finish();
      const $result = $contract.i128_sub(a, b);
      const $output = new Writer(16);
      $output.write<I128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x1af7e3a5: {
      const a = $input.read<I128>();
      const b = $input.read<I128>();
      $input.finish();
      const $result = $contract.i128_less(a, b);
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0xdb6ab836: {
      const a = $input.integer<u64>();
      const b = $input.integer<u64>();
      $input.finish();
      const $result = $contract.u64_ops(a, b);
      const $output = new Writer(64);
      writeU64List($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0xa13ed5a7: {
      const a = $input.integer<u64>();
      const b = $input.integer<u64>();
      $input.finish();
      const $result = $contract.u64_mul(a, b);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x700dd5d5: {
      const data = $input.bytes();
      $input.finish();
      const $result = $contract.digests(data);
      const $output = new Writer(64);
      writeHashList($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0x10f535cd: {
      const message = $input.bytes();
      const signature = $input.fixedBytes(64);
      const key = $input.read<Hash>();
      $input.finish();
      const $result = $contract.ed25519(message, signature, key);
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0x33be9d86: {
      const key = $input.read<Hash>();
      $input.finish();
      const $result = $contract.ed25519_address(key);
      const $output = new Writer(20);
      $output.write<Address>($result);
      $output.setOutput();
      return 0;
    }
    case 0x6e5d868f: {
      const digest = $input.read<Hash>();
      const signature = $input.fixedBytes(64);
      const recovery_id = $input.integer<u32>();
      $input.finish();
      const $result = $contract.secp256k1(digest, signature, recovery_id);
      const $output = new Writer(20);
      $output.write<Address>($result);
      $output.setOutput();
      return 0;
    }
    case 0x6cd5f20c: {
      const message = $input.bytes();
      const signature = $input.fixedBytes(96);
      const key = $input.fixedBytes(48);
      $input.finish();
      const $result = $contract.bls(message, signature, key);
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0x7d4a7e34: {
      $input.finish();
      const $result = $contract.context();
      const $output = new Writer(124);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0x74c5ef81: {
      const to = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      const $result = $contract.pay(to, amount);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x9eb47155: {
      refuseValue();
      const text = $input.string();
      $input.finish();
      $contract.log_text(text);
      return 0;
    }
    case 0x6deff77e: {
      const a = $input.read<Address>();
      const b = $input.read<Address>();
      $input.finish();
      const $result = $contract.precedes(a, b);
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0x897fba63: {
      const data = $input.bytes();
      const start = $input.integer<u32>();
      const end = $input.integer<u32>();
      $input.finish();
      const $result = $contract.slice(data, start, end);
      const $output = new Writer(64);
      $output.bytes($result);
      $output.setOutput();
      return 0;
    }
    case 0x13e586d8: {
      $input.finish();
      const $result = $contract.index_out_of_bounds();
      const $output = new Writer(1);
      $output.integer<u8>($result);
      $output.setOutput();
      return 0;
    }
    case 0xdeb42193: {
      refuseValue();
      const key = $input.read<Keys>();
      const value = $input.integer<u64>();
      $input.finish();
      $contract.put(key, value);
      return 0;
    }
    case 0x39b393b9: {
      const key = $input.read<Keys>();
      $input.finish();
      const $result = $contract.get(key);
      const $output = new Writer(64);
      writeU64List($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0x972cc09f: {
      refuseValue();
      const values = $input.read<Values>();
      $input.finish();
      $contract.put_values(values);
      return 0;
    }
    case 0x51b2c6cc: {
      $input.finish();
      const $result = $contract.get_values();
      const $output = new Writer(156);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0x4403d06b: {
      refuseValue();
      $input.finish();
      const $result = $contract.remove_values();
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0x58335fca: {
      $input.finish();
      const $result = $contract.has_values();
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0xa2204e48: {
      refuseValue();
      $input.finish();
      $contract.clash();
      return 0;
    }
    case 0x445135b7: {
      refuseValue();
      const target = $input.read<Address>();
      const depth = $input.integer<u8>();
      $input.finish();
      $contract.with_lock(target, depth);
      return 0;
    }
    case 0x1eac9300: {
      refuseValue();
      const a = $input.integer<u64>();
      const b = $input.read<Address>();
      const c = $input.string();
      const d = $input.read<Everything>();
      const e = readU8Option($input);
      $input.finish();
      $contract.emit_all(a, b, c, d, e);
      return 0;
    }
    case 0x5098e2bf: {
      refuseValue();
      const value = $input.read<Everything>();
      const count = $input.integer<u64>();
      $input.finish();
      $contract.fail_with(value, count);
      return 0;
    }
    case 0x16502981: {
      refuseValue();
      const target = $input.read<Address>();
      const a = $input.read<U128>();
      const b = $input.read<U128>();
      $input.finish();
      const $result = $contract.call_other(target, a, b);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x1c190bb5: {
      refuseValue();
      const target = $input.read<Address>();
      const input = $input.bytes();
      const gas = $input.integer<u64>();
      $input.finish();
      const $result = $contract.call_status(target, input, gas);
      const $output = new Writer(1);
      $output.integer<u8>($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Probe has no function with this selector");
      return 1;
  }
}

export function init(): i32 {
  const $input = Reader.input();
  const $contract = new Probe();
  require($input.integer<u32>() == 0x34cf428f, "expected the arguments of Probe.init");
  refuseValue();
  const greeting = $input.string();
  $input.finish();
  $contract.init(greeting);
  return 0;
}

export function migrate(): i32 {
  const $input = Reader.input();
  const $contract = new Probe();
  require($input.integer<u32>() == 0xa518f624, "expected the arguments of Probe.migrate");
  refuseValue();
  const greeting = $input.string();
  $input.finish();
  const $result = $contract.migrate(greeting);
  const $output = new Writer(64);
  $output.string($result);
  $output.setOutput();
  return 0;
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
