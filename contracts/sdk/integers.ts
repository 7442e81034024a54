import { revert } from "./revert";
import * as wide from "./wide";

// AssemblyScript integers wrap around. These functions revert on overflow.

export function addU64(a: u64, b: u64): u64 {
  const sum = a + b;
  if (sum < a) revert("arithmetic overflow");
  return sum;
}

export function subU64(a: u64, b: u64): u64 {
  if (a < b) revert("arithmetic underflow");
  return a - b;
}

export function mulU64(a: u64, b: u64): u64 {
  const product = wide.mul64(a, b);
  if (wide.high != 0) revert("arithmetic overflow");
  return product;
}
