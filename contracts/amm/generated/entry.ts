// Generated from amm.idl by `heddle contract build`. Do not edit.
import { Address, Reader, U128, Writer, refuseValue, require, revert } from "heddle";
import { Amm } from "../assembly/amm";
import { Tokens, Amounts, Deposit } from "./amm";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Amm();
  switch ($input.integer<u32>()) {
    case 0xd2b2a291: {
      refuseValue();
      const amount_a = $input.read<U128>();
      const amount_b = $input.read<U128>();
      const min_a = $input.read<U128>();
      const min_b = $input.read<U128>();
      const to = $input.read<Address>();
      const deadline_ms = $input.integer<u64>();
      $input.finish();
      const $result = $contract.add_liquidity(amount_a, amount_b, min_a, min_b, to, deadline_ms);
      const $output = new Writer(48);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0x0dd5802c: {
      refuseValue();
      const shares = $input.read<U128>();
      const min_a = $input.read<U128>();
      const min_b = $input.read<U128>();
      const to = $input.read<Address>();
      const deadline_ms = $input.integer<u64>();
      $input.finish();
      const $result = $contract.remove_liquidity(shares, min_a, min_b, to, deadline_ms);
      const $output = new Writer(32);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0x8c5f092b: {
      refuseValue();
      const token_in = $input.read<Address>();
      const amount_in = $input.read<U128>();
      const min_out = $input.read<U128>();
      const to = $input.read<Address>();
      const deadline_ms = $input.integer<u64>();
      $input.finish();
      const $result = $contract.swap(token_in, amount_in, min_out, to, deadline_ms);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x0ab9910e: {
      refuseValue();
      const to = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.transfer_shares(to, amount);
      return 0;
    }
    case 0xb8702906: {
      $input.finish();
      const $result = $contract.tokens();
      const $output = new Writer(40);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0x51f4656b: {
      $input.finish();
      const $result = $contract.reserves();
      const $output = new Writer(32);
      $result.encode($output);
      $output.setOutput();
      return 0;
    }
    case 0xbafe9c2a: {
      const token_in = $input.read<Address>();
      const amount_in = $input.read<U128>();
      $input.finish();
      const $result = $contract.quote(token_in, amount_in);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0xcedc78a4: {
      const owner = $input.read<Address>();
      $input.finish();
      const $result = $contract.shares_of(owner);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x3f620704: {
      $input.finish();
      const $result = $contract.total_shares();
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Amm has no function with this selector");
      return 1;
  }
}

export function init(): i32 {
  const $input = Reader.input();
  const $contract = new Amm();
  require($input.integer<u32>() == 0xebf29546, "expected the arguments of Amm.init");
  refuseValue();
  const token_a = $input.read<Address>();
  const token_b = $input.read<Address>();
  $input.finish();
  $contract.init(token_a, token_b);
  return 0;
}
