// Generated from counter.idl by `heddle contract build`. Do not edit.
import { Address, Reader, Writer, refuseValue, require, revert } from "heddle";
import { Counter } from "../assembly/counter";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Counter();
  switch ($input.integer<u32>()) {
    case 0x65c2a4f7: {
      refuseValue();
      const by = $input.integer<u64>();
      $input.finish();
      const $result = $contract.increment(by);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0xea398451: {
      refuseValue();
      $input.finish();
      $contract.reset();
      return 0;
    }
    case 0x8190ab2f: {
      $input.finish();
      const $result = $contract.count();
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x27baacd0: {
      $input.finish();
      const $result = $contract.owner();
      const $output = new Writer(20);
      $output.write<Address>($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Counter has no function with this selector");
      return 1;
  }
}

export function init(): i32 {
  const $input = Reader.input();
  const $contract = new Counter();
  require($input.integer<u32>() == 0x5cd65f8a, "expected the arguments of Counter.init");
  refuseValue();
  const owner = $input.read<Address>();
  const start = $input.integer<u64>();
  $input.finish();
  $contract.init(owner, start);
  return 0;
}
