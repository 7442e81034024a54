import * as host from "./host";
import { require } from "./revert";

// The prologue of generated entry points.

/** Reverts if the call carries native balance: the method is not declared `@payable`. */
export function refuseValue(): void {
  const amount = memory.data(16, 8);
  host.value(amount);
  require((load<u64>(amount) | load<u64>(amount, 8)) == 0, "this method takes no native balance");
}
