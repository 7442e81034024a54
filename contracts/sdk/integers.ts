import { revert } from "./revert";
import * as wide from "./wide";

// AssemblyScript integers wrap around. These functions revert on overflow.

/** a + b; reverts if the sum exceeds 64 bits. */
export function addU64(a: u64, b: u64): u64 {
  const sum = a + b;
  if (sum < a) revert("arithmetic overflow");
  return sum;
}

/** a − b; reverts if b is larger. */
export function subU64(a: u64, b: u64): u64 {
  if (a < b) revert("arithmetic underflow");
  return a - b;
}

/** a · b; reverts if the product exceeds 64 bits. */
export function mulU64(a: u64, b: u64): u64 {
  const product = wide.mul64(a, b);
  if (wide.high != 0) revert("arithmetic overflow");
  return product;
}
