// The ledger's types, copied by hand from the design page on IDL and encodings.
import { ascii, sha256 } from './bytes.js';
import {
  address,
  bytes,
  bytes32,
  bytes33,
  bytes64,
  encode,
  hash,
  list,
  none,
  optional,
  string,
  struct,
  u32,
  u64,
  u128,
  type ValueOf,
  variants,
} from './shapes.js';

export const VmType = variants({ wasm: none, evm: none });
export const Timelock = struct({ admin: address, delay: u64 });
export const UpgradePolicy = variants({ immutable: none, admin: address, timelock: Timelock });
export const Transfer = struct({ to: address, amount: u128 });
export const Deploy = struct({
  vm: VmType,
  code: bytes,
  idl: optional(string),
  abi_version: u32,
  upgrade_policy: UpgradePolicy,
  input: bytes,
  value: u128,
});
export const Call = struct({ contract: address, input: bytes, value: u128 });
export const Upgrade = struct({
  contract: address,
  code: bytes,
  idl: optional(string),
  abi_version: u32,
  input: bytes,
});
export const Action = variants({
  transfer: Transfer,
  deploy: Deploy,
  call: Call,
  upgrade: Upgrade,
  batch: list(Call),
});
export const Transaction = struct({
  chain_id: u64,
  sender: address,
  lane: u32,
  nonce: u64,
  gas_limit: u64,
  max_fee: u128,
  priority_fee: u128,
  valid_until: optional(u64),
  action: Action,
});
export const Signature = variants({
  ed25519: struct({ public_key: bytes32, signature: bytes64 }),
  secp256k1: struct({ public_key: bytes33, signature: bytes64 }),
});
export const SignedTransaction = struct({ transaction: Transaction, signature: Signature });
export const BlockItem = variants({ transaction: SignedTransaction });
export const BlockHeader = struct({
  chain_id: u64,
  height: u64,
  parent_hash: hash,
  epoch: u64,
  view: u64,
  timestamp_ms: u64,
  proposer: u32,
  transactions_root: hash,
  receipts_root: hash,
  state_root: hash,
  history_root: hash,
  validators_hash: hash,
  gas_used: u64,
  gas_limit: u64,
  base_fee: u128,
  seal_excess: u64,
  extra: bytes,
});
export const Outcome = variants({
  success: none,
  reverted: none,
  out_of_gas: none,
  trapped: none,
  invalid: none,
});
export const LedgerLog = struct({ contract: address, topics: list(hash), data: bytes });
export const LedgerReceipt = struct({
  tx_hash: hash,
  outcome: Outcome,
  gas_used: u64,
  fee: u128,
  contract: optional(address),
  output: bytes,
  logs: list(LedgerLog),
});
export const PendingUpgrade = struct({
  code_hash: hash,
  idl_hash: optional(hash),
  abi_version: u32,
  ready_at: u64,
});
export const ContractRecord = struct({
  vm: VmType,
  code_hash: hash,
  code_size: u32,
  idl_hash: optional(hash),
  abi_version: u32,
  upgrade_policy: UpgradePolicy,
  deployer: address,
  deployed_at: u64,
  pending_upgrade: optional(PendingUpgrade),
});
export const AccountRecord = struct({
  balance: u128,
  lanes: list(struct({ lane: u32, next_nonce: u64 })),
  deploy_index: u64,
  contract: optional(ContractRecord),
});
export const Validator = struct({
  index: u32,
  address,
  identity_key: bytes32,
  share_public_key: bytes,
});
export const ValidatorSet = struct({
  epoch: u64,
  quorum: u32,
  group_public_key: bytes,
  validators: list(Validator),
});

export type Transaction = ValueOf<typeof Transaction>;
export type SignedTransaction = ValueOf<typeof SignedTransaction>;
export type BlockHeader = ValueOf<typeof BlockHeader>;
export type LedgerReceipt = ValueOf<typeof LedgerReceipt>;
export type ValidatorSet = ValueOf<typeof ValidatorSet>;

/** sha256("heddle/tx/1" ‖ borsh(Transaction)). */
export function transactionHash(transaction: Transaction): Uint8Array {
  return sha256(ascii('heddle/tx/1'), encode(Transaction, transaction));
}

/** sha256("heddle/block/1" ‖ borsh(BlockHeader)). */
export function blockHash(header: BlockHeader): Uint8Array {
  return sha256(ascii('heddle/block/1'), encode(BlockHeader, header));
}
