import { Address } from "./address";
import * as host from "./host";
import { Reader } from "./reader";
import { revert } from "./revert";
import { U128 } from "./u128";
import { Writer } from "./writer";

/** The outcome of a call to another contract. Unless the call succeeds, its changes are undone. */
export const enum CallStatus {
  Success = 0,
  Reverted = 1,
  OutOfGas = 2,
  Trapped = 3,
  /** The contract does not exist, calls are nested too deep, or the balance is too low. */
  Refused = 4,
}

/**
 * Calls another contract. `Reader.returned()` reads its output.
 * @param gas gas limit; at most 63/64 of the remaining gas is passed on
 */
export function call(to: Address, amount: U128, gas: u64, input: Writer): CallStatus {
  return host.call(changetype<usize>(to), changetype<usize>(amount), gas, input.pointer, input.length);
}

/** Like `call`, but sends no amount and changes no state. */
export function view(to: Address, gas: u64, input: Writer): CallStatus {
  return host.view(changetype<usize>(to), gas, input.pointer, input.length);
}

/** Returns the output of a call that must succeed; otherwise reverts, with the callee's revert data if any. */
export function expectSuccess(status: CallStatus): Reader {
  if (status != CallStatus.Success) {
    if (status == CallStatus.Reverted) {
      const data = Reader.returned();
      const length = data.left;
      host.revert(data.take(length), length);
    }
    if (status == CallStatus.OutOfGas) revert("a called contract ran out of gas");
    if (status == CallStatus.Trapped) revert("a called contract trapped");
    revert("a call was refused: no such contract, calls nested too deep, or not enough balance");
  }
  return Reader.returned();
}
