import { Address } from "./address";
import * as host from "./host";
import { Reader } from "./reader";
import { revert } from "./revert";
import { U128 } from "./u128";
import { Writer } from "./writer";

/** How a call of another contract ended. On all but success its changes are gone. */
export const enum CallStatus {
  Success = 0,
  Reverted = 1,
  OutOfGas = 2,
  Trapped = 3,
  /** There is no contract there, calls are nested too deep, or there is not enough balance. */
  Refused = 4,
}

/**
 * Calls another contract; what it answers is read by `Reader.returned()`.
 * @param gas the most it may use; it gets at most 63/64 of what is left
 */
export function call(to: Address, amount: U128, gas: u64, input: Writer): CallStatus {
  return host.call(changetype<usize>(to), changetype<usize>(amount), gas, input.pointer, input.length);
}

/** As `call`, without amount and without the right to change anything. */
export function view(to: Address, gas: u64, input: Writer): CallStatus {
  return host.view(changetype<usize>(to), gas, input.pointer, input.length);
}

/** The answer of a call that has to succeed: reverts as the callee did, or says how it failed. */
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
