// Generated from idl/ledger.idl by `heddle idl generate`. Do not edit.
import type { Manifest as $Manifest } from '../idl/manifest.js';

/**
 * What a sender asks the chain to do. Its hash, sha256("heddle/tx/1" ‖ borsh(Transaction)), is what the sender signs
 * and what everybody calls the transaction by.
 */
export interface Transaction {
  /** The chain it is for; any other chain refuses it. */
  readonly chain_id: bigint;
  /** The account that pays and whose key signs. */
  readonly sender: Uint8Array;
  /** Which of the sender's nonce queues it stands in. Lanes are independent of each other. */
  readonly lane: number;
  /** Its place in the lane; each lane counts from 0. */
  readonly nonce: bigint;
  /** The most gas it may use, and at most what those before it in its block left of the block's gas. */
  readonly gas_limit: bigint;
  /** The most the sender pays per unit of gas, base fee included. */
  readonly max_fee: bigint;
  /** The most that goes to the proposer per unit of gas. */
  readonly priority_fee: bigint;
  /** The last height at which it may be included. */
  readonly valid_until?: bigint;
  readonly action: Action;
}

export interface Transfer {
  readonly to: Uint8Array;
  readonly amount: bigint;
}

export interface Deploy {
  readonly vm: VmType;
  readonly code: Uint8Array;
  /** The contract's interface definition, stored on chain beside the code. */
  readonly idl?: string;
  readonly abi_version: number;
  readonly upgrade_policy: UpgradePolicy;
  /** Input of the contract's init function. */
  readonly input: Uint8Array;
  readonly value: bigint;
}

export interface Call {
  readonly contract: Uint8Array;
  /** Four selector bytes, then the Borsh encoding of the arguments. */
  readonly input: Uint8Array;
  readonly value: bigint;
}

export interface Upgrade {
  readonly contract: Uint8Array;
  readonly code: Uint8Array;
  readonly idl?: string;
  readonly abi_version: number;
  /** Input of the new code's migrate function. */
  readonly input: Uint8Array;
}

export interface Timelock {
  readonly admin: Uint8Array;
  /** Blocks between announcing and applying an upgrade. */
  readonly delay: bigint;
}

export interface SignedTransaction {
  readonly transaction: Transaction;
  /** Over the 32 bytes of the transaction's hash. */
  readonly signature: Signature;
}

export interface Ed25519Signature {
  readonly public_key: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Secp256k1Signature {
  /** Compressed. */
  readonly public_key: Uint8Array;
  /** r ‖ s, low s only. */
  readonly signature: Uint8Array;
}

/** The header commits to everything in its block. Its hash is sha256("heddle/block/1" ‖ borsh(BlockHeader)). */
export interface BlockHeader {
  readonly chain_id: bigint;
  readonly height: bigint;
  readonly parent_hash: Uint8Array;
  readonly epoch: bigint;
  readonly view: bigint;
  /** The proposer's clock, at least the parent's plus one. */
  readonly timestamp_ms: bigint;
  /** The proposer's index in the epoch's validator set. */
  readonly proposer: number;
  /** List root of the body's items. */
  readonly transactions_root: Uint8Array;
  /** List root of the receipts, in execution order. */
  readonly receipts_root: Uint8Array;
  /** Root of the state tree after this block. */
  readonly state_root: Uint8Array;
  /** MMR root over the hashes of the blocks 0..height−1. */
  readonly history_root: Uint8Array;
  /** sha256(borsh(ValidatorSet)) of the epoch's validator set. */
  readonly validators_hash: Uint8Array;
  readonly gas_used: bigint;
  readonly gas_limit: bigint;
  readonly base_fee: bigint;
  readonly extra: Uint8Array;
}

export interface BlockBody {
  readonly items: readonly BlockItem[];
}

/** What executing a transaction came to, as far as the chain commits to it. */
export interface LedgerReceipt {
  readonly tx_hash: Uint8Array;
  readonly outcome: Outcome;
  readonly gas_used: bigint;
  /** gas_used × (base fee + the priority fee paid). */
  readonly fee: bigint;
  /** The contract that a deployment made. */
  readonly contract?: Uint8Array;
  readonly output: Uint8Array;
  readonly logs: readonly LedgerLog[];
}

export interface LedgerLog {
  readonly contract: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** An account's value in the state tree. An account that is all zero is not in the state at all. */
export interface AccountRecord {
  readonly balance: bigint;
  /** Ascending by lane, only those used; at most 256. */
  readonly lanes: readonly Lane[];
  /** How many contracts the account has deployed. */
  readonly deploy_index: bigint;
  readonly contract?: ContractRecord;
}

export interface Lane {
  readonly lane: number;
  readonly next_nonce: bigint;
}

export interface ContractRecord {
  readonly vm: VmType;
  readonly code_hash: Uint8Array;
  readonly code_size: number;
  readonly idl_hash?: Uint8Array;
  readonly abi_version: number;
  readonly upgrade_policy: UpgradePolicy;
  readonly deployer: Uint8Array;
  /** The height of the block that deployed it. */
  readonly deployed_at: bigint;
  readonly pending_upgrade?: PendingUpgrade;
}

export interface PendingUpgrade {
  readonly code_hash: Uint8Array;
  readonly idl_hash?: Uint8Array;
  readonly abi_version: number;
  /** The first height at which it may be applied. */
  readonly ready_at: bigint;
}

/** The validators of an epoch. The header's validators_hash is sha256 of its Borsh encoding. */
export interface ValidatorSet {
  readonly epoch: bigint;
  /** How many validators make a certificate. */
  readonly quorum: number;
  /** BLS12-381 public key of the whole set, G1, 48 bytes compressed. */
  readonly group_public_key: Uint8Array;
  readonly validators: readonly Validator[];
}

export interface Validator {
  readonly index: number;
  /** Where its priority fees go. */
  readonly address: Uint8Array;
  /** ed25519. */
  readonly identity_key: Uint8Array;
  /** Its share of the group key, G1, 48 bytes compressed. */
  readonly share_public_key: Uint8Array;
}

/** What block 0 is made of. */
export interface Genesis {
  readonly chain_id: bigint;
  readonly timestamp_ms: bigint;
  /** Gas limit of every block. */
  readonly gas_limit: bigint;
  /** Base fee of block 0. */
  readonly base_fee: bigint;
  readonly extra?: Uint8Array;
  readonly validator_set: ValidatorSet;
  readonly accounts: readonly GenesisAccount[];
}

export interface GenesisAccount {
  readonly address: Uint8Array;
  readonly balance: bigint;
}

export type Action =
  /** Move native balance. */
  | { readonly type: 'transfer'; readonly value: Transfer }
  /** Put a contract on the chain. */
  | { readonly type: 'deploy'; readonly value: Deploy }
  /** Call a contract. */
  | { readonly type: 'call'; readonly value: Call }
  /** Replace a contract's code under its upgrade policy. */
  | { readonly type: 'upgrade'; readonly value: Upgrade }
  /** Calls that take effect together or not at all. */
  | { readonly type: 'batch'; readonly value: readonly Call[] };

export type VmType =
  | { readonly type: 'wasm'; readonly value?: null }
  /** Reserved: deploying it is refused until that engine lands. */
  | { readonly type: 'evm'; readonly value?: null };

export type UpgradePolicy =
  /** The code never changes. */
  | { readonly type: 'immutable'; readonly value?: null }
  /** This account may replace the code at any time. */
  | { readonly type: 'admin'; readonly value: Uint8Array }
  /** An account may replace the code after announcing it. */
  | { readonly type: 'timelock'; readonly value: Timelock };

/** A signature with the public key that made it, so that the sender's address can be derived from it. */
export type Signature =
  | { readonly type: 'ed25519'; readonly value: Ed25519Signature }
  | { readonly type: 'secp256k1'; readonly value: Secp256k1Signature };

export type BlockItem =
  | { readonly type: 'transaction'; readonly value: SignedTransaction };

export type Outcome =
  | { readonly type: 'success'; readonly value?: null }
  /** The transaction itself gave up; it changed nothing but nonce and fee. */
  | { readonly type: 'reverted'; readonly value?: null }
  | { readonly type: 'out_of_gas'; readonly value?: null }
  | { readonly type: 'trapped'; readonly value?: null }
  /** It ran but could never have worked. */
  | { readonly type: 'invalid'; readonly value?: null };

/** Every struct and enum by its name. */
export interface LedgerTypes {
  readonly Transaction: Transaction;
  readonly Transfer: Transfer;
  readonly Deploy: Deploy;
  readonly Call: Call;
  readonly Upgrade: Upgrade;
  readonly Timelock: Timelock;
  readonly SignedTransaction: SignedTransaction;
  readonly Ed25519Signature: Ed25519Signature;
  readonly Secp256k1Signature: Secp256k1Signature;
  readonly BlockHeader: BlockHeader;
  readonly BlockBody: BlockBody;
  readonly LedgerReceipt: LedgerReceipt;
  readonly LedgerLog: LedgerLog;
  readonly AccountRecord: AccountRecord;
  readonly Lane: Lane;
  readonly ContractRecord: ContractRecord;
  readonly PendingUpgrade: PendingUpgrade;
  readonly ValidatorSet: ValidatorSet;
  readonly Validator: Validator;
  readonly Genesis: Genesis;
  readonly GenesisAccount: GenesisAccount;
  readonly Action: Action;
  readonly VmType: VmType;
  readonly UpgradePolicy: UpgradePolicy;
  readonly Signature: Signature;
  readonly BlockItem: BlockItem;
  readonly Outcome: Outcome;
}

/** Everything that the IDL declares. */
export const ledgerManifest: $Manifest = {
  manifest_version: 1,
  interfaces: [],
  contracts: [],
  structs: [
    {
      name: "Transaction",
      doc: "What a sender asks the chain to do. Its hash, sha256(\"heddle/tx/1\" ‖ borsh(Transaction)), is what the sender signs\nand what everybody calls the transaction by.",
      fields: [
        { name: "chain_id", doc: "The chain it is for; any other chain refuses it.", type: "u64" },
        { name: "sender", doc: "The account that pays and whose key signs.", type: "address" },
        { name: "lane", doc: "Which of the sender's nonce queues it stands in. Lanes are independent of each other.", type: "u32" },
        { name: "nonce", doc: "Its place in the lane; each lane counts from 0.", type: "u64" },
        { name: "gas_limit", doc: "The most gas it may use, and at most what those before it in its block left of the block's gas.", type: "u64" },
        { name: "max_fee", doc: "The most the sender pays per unit of gas, base fee included.", type: "u128" },
        { name: "priority_fee", doc: "The most that goes to the proposer per unit of gas.", type: "u128" },
        { name: "valid_until", doc: "The last height at which it may be included.", type: "u64", optional: true },
        { name: "action", type: "Action" },
      ],
    },
    {
      name: "Transfer",
      fields: [
        { name: "to", type: "address" },
        { name: "amount", type: "u128" },
      ],
    },
    {
      name: "Deploy",
      fields: [
        { name: "vm", type: "VmType" },
        { name: "code", type: "bytes" },
        { name: "idl", doc: "The contract's interface definition, stored on chain beside the code.", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "input", doc: "Input of the contract's init function.", type: "bytes" },
        { name: "value", type: "u128" },
      ],
    },
    {
      name: "Call",
      fields: [
        { name: "contract", type: "address" },
        { name: "input", doc: "Four selector bytes, then the Borsh encoding of the arguments.", type: "bytes" },
        { name: "value", type: "u128" },
      ],
    },
    {
      name: "Upgrade",
      fields: [
        { name: "contract", type: "address" },
        { name: "code", type: "bytes" },
        { name: "idl", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "input", doc: "Input of the new code's migrate function.", type: "bytes" },
      ],
    },
    {
      name: "Timelock",
      fields: [
        { name: "admin", type: "address" },
        { name: "delay", doc: "Blocks between announcing and applying an upgrade.", type: "u64" },
      ],
    },
    {
      name: "SignedTransaction",
      fields: [
        { name: "transaction", type: "Transaction" },
        { name: "signature", doc: "Over the 32 bytes of the transaction's hash.", type: "Signature" },
      ],
    },
    {
      name: "Ed25519Signature",
      fields: [
        { name: "public_key", type: "bytes32" },
        { name: "signature", type: "bytes64" },
      ],
    },
    {
      name: "Secp256k1Signature",
      fields: [
        { name: "public_key", doc: "Compressed.", type: "bytes33" },
        { name: "signature", doc: "r ‖ s, low s only.", type: "bytes64" },
      ],
    },
    {
      name: "BlockHeader",
      doc: "The header commits to everything in its block. Its hash is sha256(\"heddle/block/1\" ‖ borsh(BlockHeader)).",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "height", type: "u64" },
        { name: "parent_hash", type: "hash" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "timestamp_ms", doc: "The proposer's clock, at least the parent's plus one.", type: "u64" },
        { name: "proposer", doc: "The proposer's index in the epoch's validator set.", type: "u32" },
        { name: "transactions_root", doc: "List root of the body's items.", type: "hash" },
        { name: "receipts_root", doc: "List root of the receipts, in execution order.", type: "hash" },
        { name: "state_root", doc: "Root of the state tree after this block.", type: "hash" },
        { name: "history_root", doc: "MMR root over the hashes of the blocks 0..height−1.", type: "hash" },
        { name: "validators_hash", doc: "sha256(borsh(ValidatorSet)) of the epoch's validator set.", type: "hash" },
        { name: "gas_used", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "base_fee", type: "u128" },
        { name: "extra", type: "bytes" },
      ],
    },
    {
      name: "BlockBody",
      fields: [
        { name: "items", type: { list: "BlockItem" } },
      ],
    },
    {
      name: "LedgerReceipt",
      doc: "What executing a transaction came to, as far as the chain commits to it.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "outcome", type: "Outcome" },
        { name: "gas_used", type: "u64" },
        { name: "fee", doc: "gas_used × (base fee + the priority fee paid).", type: "u128" },
        { name: "contract", doc: "The contract that a deployment made.", type: "address", optional: true },
        { name: "output", type: "bytes" },
        { name: "logs", type: { list: "LedgerLog" } },
      ],
    },
    {
      name: "LedgerLog",
      fields: [
        { name: "contract", type: "address" },
        { name: "topics", type: { list: "hash" } },
        { name: "data", type: "bytes" },
      ],
    },
    {
      name: "AccountRecord",
      doc: "An account's value in the state tree. An account that is all zero is not in the state at all.",
      fields: [
        { name: "balance", type: "u128" },
        { name: "lanes", doc: "Ascending by lane, only those used; at most 256.", type: { list: "Lane" } },
        { name: "deploy_index", doc: "How many contracts the account has deployed.", type: "u64" },
        { name: "contract", type: "ContractRecord", optional: true },
      ],
    },
    {
      name: "Lane",
      fields: [
        { name: "lane", type: "u32" },
        { name: "next_nonce", type: "u64" },
      ],
    },
    {
      name: "ContractRecord",
      fields: [
        { name: "vm", type: "VmType" },
        { name: "code_hash", type: "hash" },
        { name: "code_size", type: "u32" },
        { name: "idl_hash", type: "hash", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "deployer", type: "address" },
        { name: "deployed_at", doc: "The height of the block that deployed it.", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "PendingUpgrade",
      fields: [
        { name: "code_hash", type: "hash" },
        { name: "idl_hash", type: "hash", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "ready_at", doc: "The first height at which it may be applied.", type: "u64" },
      ],
    },
    {
      name: "ValidatorSet",
      doc: "The validators of an epoch. The header's validators_hash is sha256 of its Borsh encoding.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "quorum", doc: "How many validators make a certificate.", type: "u32" },
        { name: "group_public_key", doc: "BLS12-381 public key of the whole set, G1, 48 bytes compressed.", type: "bytes" },
        { name: "validators", type: { list: "Validator" } },
      ],
    },
    {
      name: "Validator",
      fields: [
        { name: "index", type: "u32" },
        { name: "address", doc: "Where its priority fees go.", type: "address" },
        { name: "identity_key", doc: "ed25519.", type: "bytes32" },
        { name: "share_public_key", doc: "Its share of the group key, G1, 48 bytes compressed.", type: "bytes" },
      ],
    },
    {
      name: "Genesis",
      doc: "What block 0 is made of.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "timestamp_ms", type: "u64" },
        { name: "gas_limit", doc: "Gas limit of every block.", type: "u64" },
        { name: "base_fee", doc: "Base fee of block 0.", type: "u128" },
        { name: "extra", type: "bytes", optional: true },
        { name: "validator_set", type: "ValidatorSet" },
        { name: "accounts", type: { list: "GenesisAccount" } },
      ],
    },
    {
      name: "GenesisAccount",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", type: "u128" },
      ],
    },
  ],
  enums: [
    {
      name: "Action",
      variants: [
        { name: "Transfer", tag: "transfer", doc: "Move native balance.", payload: "Transfer" },
        { name: "Deploy", tag: "deploy", doc: "Put a contract on the chain.", payload: "Deploy" },
        { name: "Call", tag: "call", doc: "Call a contract.", payload: "Call" },
        { name: "Upgrade", tag: "upgrade", doc: "Replace a contract's code under its upgrade policy.", payload: "Upgrade" },
        { name: "Batch", tag: "batch", doc: "Calls that take effect together or not at all.", payload: { list: "Call" } },
      ],
    },
    {
      name: "VmType",
      variants: [
        { name: "Wasm", tag: "wasm" },
        { name: "Evm", tag: "evm", doc: "Reserved: deploying it is refused until that engine lands." },
      ],
    },
    {
      name: "UpgradePolicy",
      variants: [
        { name: "Immutable", tag: "immutable", doc: "The code never changes." },
        { name: "Admin", tag: "admin", doc: "This account may replace the code at any time.", payload: "address" },
        { name: "Timelock", tag: "timelock", doc: "An account may replace the code after announcing it.", payload: "Timelock" },
      ],
    },
    {
      name: "Signature",
      doc: "A signature with the public key that made it, so that the sender's address can be derived from it.",
      variants: [
        { name: "Ed25519", tag: "ed25519", payload: "Ed25519Signature" },
        { name: "Secp256k1", tag: "secp256k1", payload: "Secp256k1Signature" },
      ],
    },
    {
      name: "BlockItem",
      variants: [
        { name: "Transaction", tag: "transaction", payload: "SignedTransaction" },
      ],
    },
    {
      name: "Outcome",
      variants: [
        { name: "Success", tag: "success" },
        { name: "Reverted", tag: "reverted", doc: "The transaction itself gave up; it changed nothing but nonce and fee." },
        { name: "OutOfGas", tag: "out_of_gas" },
        { name: "Trapped", tag: "trapped" },
        { name: "Invalid", tag: "invalid", doc: "It ran but could never have worked." },
      ],
    },
  ],
  aliases: [],
};
