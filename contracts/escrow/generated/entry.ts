// Generated from escrow.idl by `heddle contract build`. Do not edit.
import { Address, Reader, U128, Writer, refuseValue, revert } from "heddle";
import { Escrow } from "../assembly/escrow";
import { Deal, DealState } from "./escrow";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Escrow();
  switch ($input.integer<u32>()) {
    case 0xc84bba82: {
      const payee = $input.read<Address>();
      const arbiter = $input.read<Address>();
      const deadline_ms = $input.integer<u64>();
      $input.finish();
      const $result = $contract.open(payee, arbiter, deadline_ms);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x80f90c06: {
      refuseValue();
      const id = $input.integer<u64>();
      $input.finish();
      $contract.release(id);
      return 0;
    }
    case 0x9e13e961: {
      refuseValue();
      const id = $input.integer<u64>();
      $input.finish();
      $contract.refund(id);
      return 0;
    }
    case 0x12fd0bb7: {
      const id = $input.integer<u64>();
      $input.finish();
      const $result = $contract.deal(id);
      const $output = new Writer(85);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0xa1487b11: {
      $input.finish();
      const $result = $contract.deal_count();
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x3bbc02da: {
      $input.finish();
      const $result = $contract.held();
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Escrow has no function with this selector");
      return 1;
  }
}
