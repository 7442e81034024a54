// Generated from registry.idl by `heddle contract build`. Do not edit.
import { Address, Option, Reader, U128, Writer, none, refuseValue, require, revert, some } from "heddle";
import { Registry } from "../assembly/registry";
import { Record } from "./registry";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Registry();
  switch ($input.integer<u32>()) {
    case 0x84fae0ee: {
      const name = $input.string(32);
      const years = $input.integer<u8>();
      const target = $input.read<Address>();
      $input.finish();
      const $result = $contract.register(name, years, target);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x1891b17f: {
      const name = $input.string(32);
      const years = $input.integer<u8>();
      $input.finish();
      const $result = $contract.renew(name, years);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x0dff3f98: {
      refuseValue();
      const name = $input.string(32);
      const target = $input.read<Address>();
      $input.finish();
      $contract.set_target(name, target);
      return 0;
    }
    case 0x7707cd81: {
      refuseValue();
      const name = $input.string(32);
      const to = $input.read<Address>();
      $input.finish();
      $contract.transfer(name, to);
      return 0;
    }
    case 0xd2276e99: {
      refuseValue();
      const name = $input.string(32);
      $input.finish();
      $contract.release(name);
      return 0;
    }
    case 0x11604633: {
      refuseValue();
      const fee_per_year = $input.read<U128>();
      $input.finish();
      $contract.set_fee(fee_per_year);
      return 0;
    }
    case 0xa576ca69: {
      refuseValue();
      const to = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.withdraw(to, amount);
      return 0;
    }
    case 0xba218877: {
      refuseValue();
      const owner = $input.read<Address>();
      $input.finish();
      $contract.set_owner(owner);
      return 0;
    }
    case 0x82040a95: {
      const name = $input.string(32);
      $input.finish();
      const $result = $contract.resolve(name);
      const $output = new Writer(61);
      writeAddressOption($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0xbfed617d: {
      const name = $input.string(32);
      $input.finish();
      const $result = $contract.record(name);
      const $output = new Writer(61);
      writeRecordOption($output, $result);
      $output.setOutput();
      return 0;
    }
    case 0x502ee581: {
      const name = $input.string(32);
      $input.finish();
      const $result = $contract.is_available(name);
      const $output = new Writer(1);
      $output.integer<bool>($result);
      $output.setOutput();
      return 0;
    }
    case 0x52e5cf25: {
      const years = $input.integer<u8>();
      $input.finish();
      const $result = $contract.fee(years);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0xd09f284a: {
      $input.finish();
      const $result = $contract.owner();
      const $output = new Writer(20);
      $output.write<Address>($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Registry has no function with this selector");
      return 1;
  }
}

export function init(): i32 {
  const $input = Reader.input();
  const $contract = new Registry();
  require($input.integer<u32>() == 0x2a0ddfb3, "expected the arguments of Registry.init");
  refuseValue();
  const owner = $input.read<Address>();
  const fee_per_year = $input.read<U128>();
  $input.finish();
  $contract.init(owner, fee_per_year);
  return 0;
}

function readAddressOption($reader: Reader): Option<Address> {
  return $reader.bool() ? some<Address>($reader.read<Address>()) : none<Address>();
}

function writeAddressOption($writer: Writer, value: Option<Address>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  $writer.write<Address>(item);
}

function readRecordOption($reader: Reader): Option<Record> {
  return $reader.bool() ? some<Record>($reader.read<Record>()) : none<Record>();
}

function writeRecordOption($writer: Writer, value: Option<Record>): void {
  $writer.integer<bool>(value.isSome);
  if (value.isNone) return;
  const item = value.value;
  item.encode($writer);
}
