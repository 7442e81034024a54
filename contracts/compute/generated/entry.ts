// Generated from compute.idl by `heddle contract build`. Do not edit.
import { Hash, Reader, Writer, revert } from "heddle";
import { Compute } from "../assembly/compute";

export function invoke(): i32 {
  const $input = Reader.input();
  const $contract = new Compute();
  switch ($input.integer<u32>()) {
    case 0x8f7425e6: {
      const iterations = $input.integer<u64>();
      $input.finish();
      const $result = $contract.count(iterations);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x8150b23e: {
      const limit = $input.integer<u32>();
      $input.finish();
      const $result = $contract.sieve(limit);
      const $output = new Writer(4);
      $output.integer<u32>($result);
      $output.setOutput();
      return 0;
    }
    case 0x84f64a0f: {
      const seed = $input.read<Hash>();
      const rounds = $input.integer<u32>();
      $input.finish();
      const $result = $contract.sha256_chain(seed, rounds);
      const $output = new Writer(32);
      $output.write<Hash>($result);
      $output.setOutput();
      return 0;
    }
    case 0x2f3fc3be: {
      const seed = $input.read<Hash>();
      const rounds = $input.integer<u32>();
      $input.finish();
      const $result = $contract.sha256_chain_in_wasm(seed, rounds);
      const $output = new Writer(32);
      $output.write<Hash>($result);
      $output.setOutput();
      return 0;
    }
    case 0x0e76a135: {
      const seed = $input.integer<u64>();
      const rounds = $input.integer<u32>();
      $input.finish();
      const $result = $contract.mix_chain(seed, rounds);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    case 0x5e48aef4: {
      const size = $input.integer<u32>();
      const seed = $input.integer<u64>();
      $input.finish();
      const $result = $contract.matrix_product(size, seed);
      const $output = new Writer(8);
      $output.integer<u64>($result);
      $output.setOutput();
      return 0;
    }
    default:
      revert("Compute has no function with this selector");
      return 1;
  }
}
