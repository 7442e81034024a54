// Generated from token.idl by `heddle contract build`. Do not edit.
import { Address, Hash, Reader, U128, Writer, refuseValue, require, revert } from "heddle";
import { Token } from "../assembly/token";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Token();
  switch ($input.integer<u32>()) {
    case 0xccf5b947: {
      $input.finish();
      const $result = $contract.name();
      const $output = new Writer(64);
      $output.string($result, 64);
      $output.setOutput();
      return 0;
    }
    case 0xaffac4df: {
      $input.finish();
      const $result = $contract.symbol();
      const $output = new Writer(64);
      $output.string($result, 16);
      $output.setOutput();
      return 0;
    }
    case 0x8e4082b7: {
      $input.finish();
      const $result = $contract.decimals();
      const $output = new Writer(1);
      $output.integer<u8>($result);
      $output.setOutput();
      return 0;
    }
    case 0xa840d970: {
      $input.finish();
      const $result = $contract.total_supply();
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x6b90bb4a: {
      const owner = $input.read<Address>();
      $input.finish();
      const $result = $contract.balance_of(owner);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x61643d98: {
      const owner = $input.read<Address>();
      const spender = $input.read<Address>();
      $input.finish();
      const $result = $contract.allowance(owner, spender);
      const $output = new Writer(16);
      $output.write<U128>($result);
      $output.setOutput();
      return 0;
    }
    case 0x954874af: {
      $input.finish();
      const $result = $contract.minter();
      const $output = new Writer(20);
      $output.write<Address>($result);
      $output.setOutput();
      return 0;
    }
    case 0xc5e45cc2: {
      refuseValue();
      const to = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.transfer(to, amount);
      return 0;
    }
    case 0x98cd1dd3: {
      refuseValue();
      const spender = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.approve(spender, amount);
      return 0;
    }
    case 0x6c5e61db: {
      refuseValue();
      const spender = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.increase_allowance(spender, amount);
      return 0;
    }
    case 0xf8b968f4: {
      refuseValue();
      const spender = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.decrease_allowance(spender, amount);
      return 0;
    }
    case 0x8f8c87f5: {
      refuseValue();
      const from = $input.read<Address>();
      const to = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.transfer_from(from, to, amount);
      return 0;
    }
    case 0x0a1cfce5: {
      refuseValue();
      const to = $input.read<Address>();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.mint(to, amount);
      return 0;
    }
    case 0x49e0f669: {
      refuseValue();
      const amount = $input.read<U128>();
      $input.finish();
      $contract.burn(amount);
      return 0;
    }
    case 0x8e937b50: {
      refuseValue();
      const minter = $input.read<Address>();
      $input.finish();
      $contract.set_minter(minter);
      return 0;
    }
    case 0xfde9d823: {
      refuseValue();
      const owner_key = $input.read<Hash>();
      const spender = $input.read<Address>();
      const amount = $input.read<U128>();
      const deadline_ms = $input.integer<u64>();
      const signature = $input.fixedBytes(64);
      $input.finish();
      $contract.permit(owner_key, spender, amount, deadline_ms, signature);
      return 0;
    }
    case 0x472beb3b: {
      const owner = $input.read<Address>();
      $input.finish();
      const $result = $contract.permit_nonce(owner);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x87bbc20a: {
      const owner = $input.read<Address>();
      const spender = $input.read<Address>();
      const amount = $input.read<U128>();
      const deadline_ms = $input.integer<u64>();
      $input.finish();
      const $result = $contract.permit_message(owner, spender, amount, deadline_ms);
      const $output = new Writer(64);
      $output.bytes($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Token has no function with this selector");
      return 1;
  }
}

export function init(): i32 {
  const $input = Reader.input();
  const $contract = new Token();
  require($input.integer<u32>() == 0x004c5980, "expected the arguments of Token.init");
  refuseValue();
  const name = $input.string(64);
  const symbol = $input.string(16);
  const decimals = $input.integer<u8>();
  const supply = $input.read<U128>();
  const owner = $input.read<Address>();
  const minter = $input.read<Address>();
  $input.finish();
  $contract.init(name, symbol, decimals, supply, owner, minter);
  return 0;
}
