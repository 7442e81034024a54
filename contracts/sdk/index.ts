// The contract SDK: `import { … } from "heddle"`.

export { Address } from "./address";
export { Bytes } from "./bytes";
export { CallStatus, call, expectSuccess, view } from "./calls";
export {
  balanceOf,
  blockHeight,
  blockTimestampMs,
  caller,
  chainId,
  gasLeft,
  origin,
  self,
  send,
  trySend,
  value,
} from "./context";
export {
  blake3,
  blsVerify,
  ed25519Address,
  ed25519Verify,
  keccak256,
  secp256k1Recover,
  sha256,
} from "./crypto";
export { refuseValue } from "./dispatch";
export { EventWriter } from "./events";
export { Hash } from "./hash";
export { I128 } from "./i128";
export { addU64, mulU64, subU64 } from "./integers";
export { log } from "./log";
export { none, Option, some } from "./option";
export { Reader } from "./reader";
export { abort, require, revert } from "./revert";
export { Cell, Lock, Mapping, Mapping2 } from "./storage";
export { minU128, mulDiv, mulDivUp, sqrtOfProduct, U128 } from "./u128";
export { Writer } from "./writer";
