// Generated from idl/ledger.idl by `heddle idl generate`. Do not edit.
import type { Manifest as $Manifest } from '../idl/manifest.js';

/**
 * A sender's request to the chain. Its hash, sha256("heddle/tx/1" ‖ borsh(Transaction)), is signed by the sender and
 * identifies the transaction.
 */
export interface Transaction {
  /** Chain id; other chains refuse the transaction. */
  readonly chain_id: bigint;
  /** The account that pays and signs. */
  readonly sender: Uint8Array;
  /** Nonce lane of the sender. Lanes are independent of each other. */
  readonly lane: number;
  /** Position in the lane; each lane counts from 0. */
  readonly nonce: bigint;
  /** Upper bound of the gas used; at most the gas left by earlier transactions of the block. */
  readonly gas_limit: bigint;
  /** Upper bound of the price per unit of gas, base fee included. */
  readonly max_fee: bigint;
  /** Upper bound of the proposer's share per unit of gas. */
  readonly priority_fee: bigint;
  /** The last height at which the transaction may be included. */
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
  /** Blocks between announcement and upgrade. */
  readonly delay: bigint;
}

export interface SignedTransaction {
  readonly transaction: Transaction;
  /** Signature of the 32-byte transaction hash. */
  readonly signature: Signature;
}

export interface Ed25519Signature {
  readonly public_key: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Secp256k1Signature {
  /** secp256k1, compressed. */
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
  /** The proposer's clock; at least the parent's timestamp plus one. */
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
  /**
   * Opening slots reserved above the target: max(0, the parent's seal_excess + the slots that the parent reserved − 8). It
   * sets the price of a slot in this block: base_fee × 2,000,000 × fake_exponential(1, seal_excess, 68), the integer formula
   * of EIP-4844, and at most 2^128 − 1.
   */
  readonly seal_excess: bigint;
  readonly extra: Uint8Array;
}

export interface BlockBody {
  readonly items: readonly BlockItem[];
}

/** The committed outcome of a transaction. */
export interface LedgerReceipt {
  readonly tx_hash: Uint8Array;
  readonly outcome: Outcome;
  readonly gas_used: bigint;
  /**
   * gas_used × (base fee + the priority fee paid). The inclusion of an envelope adds its opening slots × the price of a
   * slot, which is burned.
   */
  readonly fee: bigint;
  /** The deployed contract. */
  readonly contract?: Uint8Array;
  readonly output: Uint8Array;
  readonly logs: readonly LedgerLog[];
}

export interface LedgerLog {
  readonly contract: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** An account's value in the state tree. All-zero accounts are not in the state. */
export interface AccountRecord {
  readonly balance: bigint;
  /** Used lanes in ascending order; at most 256. */
  readonly lanes: readonly Lane[];
  /** Number of contracts deployed by the account. */
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
  /** The height of the block that deployed the contract. */
  readonly deployed_at: bigint;
  readonly pending_upgrade?: PendingUpgrade;
}

export interface PendingUpgrade {
  readonly code_hash: Uint8Array;
  readonly idl_hash?: Uint8Array;
  readonly abi_version: number;
  /** First height at which the upgrade may be applied. */
  readonly ready_at: bigint;
}

/** The validators of an epoch. The header's validators_hash is sha256 of its Borsh encoding. */
export interface ValidatorSet {
  readonly epoch: bigint;
  /** Number of validators that a certificate needs. */
  readonly quorum: number;
  /** BLS12-381 public key of the whole set, G1, 48 bytes compressed. */
  readonly group_public_key: Uint8Array;
  readonly validators: readonly Validator[];
}

export interface Validator {
  readonly index: number;
  /** Address that receives the priority fees. */
  readonly address: Uint8Array;
  /** ed25519 public key. */
  readonly identity_key: Uint8Array;
  /** Public key of the validator's share of the group key, G1, 48 bytes compressed. */
  readonly share_public_key: Uint8Array;
}

/** Content of block 0. */
export interface Genesis {
  readonly chain_id: bigint;
  readonly timestamp_ms: bigint;
  /** Gas limit of every block. */
  readonly gas_limit: bigint;
  /** Base fee of block 0. */
  readonly base_fee: bigint;
  readonly extra?: Uint8Array;
  readonly validator_set: ValidatorSet;
  /** The validators' encryption keys, by index; G1, compressed. Required unless there is a single validator. */
  readonly encryption_keys?: readonly Uint8Array[];
  readonly accounts: readonly GenesisAccount[];
  /** Length of an epoch in blocks: epoch e ends with the block of height (e + 1) × epoch_length. Default 10,000. */
  readonly epoch_length?: bigint;
  /**
   * Origin of the group key. If absent, a single dealer created the group key and knows it; such a chain admits no
   * further validators.
   */
  readonly ceremony?: Ceremony;
}

/** The ceremony in which the first validators generated the group key; nobody knows its private key. */
export interface Ceremony {
  /** One dealing of each validator, by index; the key is their sum. */
  readonly dealings: readonly CeremonyDealing[];
  /** Each validator's ed25519 signature of "heddle/ceremony/1" ‖ the transcript's hash, by index. */
  readonly signatures: readonly Uint8Array[];
}

export interface CeremonyDealing {
  readonly dealer: number;
  /** Commitments to the dealer's polynomial, constant first; G1, compressed. */
  readonly commitments: readonly Uint8Array[];
}

/** State record: the encryption keys of the present validator set. */
export interface EncryptionKeys {
  /** By index; G1, compressed. Empty only with a single validator. */
  readonly keys: readonly Uint8Array[];
}

export interface GenesisAccount {
  readonly address: Uint8Array;
  readonly balance: bigint;
}

/** Public part of a sealed transaction. */
export interface SealedHeader {
  readonly chain_id: bigint;
  readonly sender: Uint8Array;
  readonly lane: number;
  readonly nonce: bigint;
  readonly gas_limit: bigint;
  readonly max_fee: bigint;
  readonly priority_fee: bigint;
  /**
   * Upper bound of the price of all its opening slots together. An opening slot is 1/64 of a block's gas limit; the envelope
   * reserves max(1, ⌈gas for its action / slot⌉) of them, where the gas for its action is gas_limit minus the gas of the
   * inclusion without the opening of a lane. Unused slots are not paid back.
   */
  readonly max_seal_fee: bigint;
  /** Height whose key opens the envelope; the envelope is included below that height. */
  readonly opens_at: bigint;
}

/**
 * A transaction whose action is unreadable until the key of its height is known. Its hash, sha256("heddle/sealed/1"
 * ‖ borsh(SealedEnvelope)), identifies it and is signed by the sender.
 */
export interface SealedEnvelope {
  readonly header: SealedHeader;
  /** r·G1, compressed. */
  readonly u: Uint8Array;
  /** Sigma, masked with the pairing. */
  readonly v: Uint8Array;
  /** The payload's key, masked with sigma. */
  readonly w: Uint8Array;
  /** XChaCha20-Poly1305 of borsh(Action), with the header as associated data. */
  readonly payload: Uint8Array;
}

export interface SignedEnvelope {
  readonly envelope: SealedEnvelope;
  /** Signature of the 32-byte envelope hash. */
  readonly signature: Signature;
}

/** State entry of an included sealed transaction that has not been opened yet. */
export interface PendingEnvelope {
  readonly signed: SignedEnvelope;
  /** Gas charged for the inclusion. */
  readonly gas_used: bigint;
  /** Base fee of the including block. */
  readonly base_fee: bigint;
  /** Balance reserved for the action's gas. */
  readonly deposit: bigint;
}

/** State entry of the heights with unopened envelopes; absent if there are none. */
export interface OpeningSchedule {
  /** Ascending by height. */
  readonly openings: readonly ScheduledOpening[];
  /** Height of the last block that included an envelope. */
  readonly reserved_at: bigint;
  /** Opening slots that this block reserved, for any heights; at most 16. */
  readonly reserved: number;
}

export interface ScheduledOpening {
  readonly height: bigint;
  /** Number of envelopes. */
  readonly count: number;
  /** Opening slots that the envelopes reserve; at most 16. */
  readonly slots: number;
}

/** The key of a height; it opens everything sealed to that height. */
export interface SealKey {
  readonly height: bigint;
  /** BLS signature of "heddle/seal/1" ‖ u64le chain_id ‖ u64le height under the group key. */
  readonly signature: Uint8Array;
}

/** One share holder's contribution to resharing the group key to the next epoch's validators. */
export interface Dealing {
  /** Epoch of the dealing. */
  readonly epoch: bigint;
  readonly dealer: number;
  /** Commitments to the dealer's polynomial, constant first; G1, compressed. */
  readonly commitments: readonly Uint8Array[];
  /** The dealer's encryption key from the next epoch on; G1, compressed. */
  readonly encryption_key: Uint8Array;
  /** Ascending by player. */
  readonly acks: readonly Ack[];
  /** Ascending by player: the evaluations of players that did not acknowledge. */
  readonly sealed: readonly SealedShare[];
  /** ed25519 of "heddle/dealing/3" ‖ u64le chain_id ‖ borsh of the rest. */
  readonly signature: Uint8Array;
}

export interface Ack {
  readonly player: number;
  /**
   * ed25519 of "heddle/ack/2" ‖ u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player ‖
   * sha256(borsh(commitments)).
   */
  readonly signature: Uint8Array;
}

/**
 * A player's evaluation, encrypted to the player's encryption key X. E = r·G1 and D = r·X for a random scalar r; context =
 * u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player.
 */
export interface SealedShare {
  readonly player: number;
  /** E; G1, compressed. */
  readonly ephemeral: Uint8Array;
  /** evaluation (32 bytes, big-endian) ⊕ sha256("heddle/share/1" ‖ context ‖ E ‖ D). */
  readonly share: Uint8Array;
  /**
   * With `response` proves that the dealer knows r (Schnorr): sha256("heddle/sealed-share/1" ‖ context ‖ X ‖ E ‖ share ‖ A)
   * as a big-endian integer modulo the group order, A = k·G1 for a random scalar k.
   */
  readonly challenge: Uint8Array;
  /** k + challenge × r modulo the group order. */
  readonly response: Uint8Array;
}

/**
 * A player's public proof that a dealer sealed garbage to it: the decryption key D, with a Chaum–Pedersen proof that
 * log_G1 X = log_E D. The proof's commitments are A = k·G1 and B = k·E for a random scalar k.
 */
export interface Complaint {
  readonly epoch: bigint;
  readonly dealer: number;
  readonly player: number;
  /** D; G1, compressed. */
  readonly shared: Uint8Array;
  /** sha256("heddle/complaint/1" ‖ context ‖ X ‖ E ‖ D ‖ A ‖ B) as a big-endian integer modulo the group order. */
  readonly challenge: Uint8Array;
  /** k + challenge × x modulo the group order, x the private encryption key. */
  readonly response: Uint8Array;
}

/** State record: the dealers of an epoch whose dealings are in blocks. */
export interface DealingOrder {
  /** In block order. */
  readonly dealers: readonly number[];
}

export interface NewValidator {
  /** ed25519 public key. */
  readonly identity_key: Uint8Array;
  /** Evaluations that the validator did not acknowledge are encrypted to this key; G1, compressed. Its dealings renew it. */
  readonly encryption_key: Uint8Array;
  /** Host and port of the validator in the mesh. */
  readonly endpoint: string;
}

export interface ApprovedChange {
  readonly epoch: bigint;
  readonly change: ValidatorChange;
  /** Signatures of a quorum, ascending by index. */
  readonly approvals: readonly Approval[];
}

export interface Approval {
  readonly index: number;
  /** ed25519 of "heddle/change/1" ‖ u64le chain_id ‖ u64le epoch ‖ borsh(change). */
  readonly signature: Uint8Array;
}

/**
 * Consensus parameters of a chain. If they differ from the default, block 0's header contains them: extra =
 * "heddle/parameters/1" ‖ borsh(ConsensusParameters).
 */
export interface ConsensusParameters {
  readonly epoch_length: bigint;
  /** Whether validators generated the group key in a ceremony; otherwise no further validators are admitted. */
  readonly ceremony: boolean;
}

/**
 * Input of a development control: a call by the development controller to the controls' address. It takes effect on
 * development chains only; elsewhere it is a call to an address without a contract.
 */
export interface DevChanges {
  /** In this order; all take effect or none. At most 4,096, slots counted one by one. */
  readonly changes: readonly DevChange[];
}

/** The account replaces the one at the address, nonces included. */
export interface DevForkedAccount {
  readonly address: Uint8Array;
  readonly account: AccountRecord;
  /** The code of its contract. */
  readonly code?: Uint8Array;
  /** The contract's interface text; without it the copied contract has no interface. */
  readonly idl?: string;
}

export interface DevBalance {
  readonly address: Uint8Array;
  /** At most 2^96. */
  readonly amount: bigint;
}

export interface DevSlots {
  readonly contract: Uint8Array;
  readonly slots: readonly DevSlot[];
}

export interface DevSlot {
  readonly slot: Uint8Array;
  /** At most 16 KiB. If absent, the slot is removed. */
  readonly value?: Uint8Array;
}

export interface DevContract {
  readonly address: Uint8Array;
  readonly vm: VmType;
  readonly code: Uint8Array;
  readonly idl?: string;
  readonly abi_version: number;
  readonly upgrade_policy: UpgradePolicy;
  readonly deployer: Uint8Array;
  readonly deployed_at: bigint;
  readonly pending_upgrade?: PendingUpgrade;
}

/** Sets the number of contracts deployed by an account, which determines the address of its next contract. */
export interface DevDeployIndex {
  readonly address: Uint8Array;
  readonly deploy_index: bigint;
}

export interface DevImpersonation {
  /** The account that acts and pays the amounts; its nonces stay the same. */
  readonly sender: Uint8Array;
  readonly action: Action;
}

export type Action =
  /** Transfer of native balance. */
  | { readonly type: 'transfer'; readonly value: Transfer }
  /** Deployment of a contract. */
  | { readonly type: 'deploy'; readonly value: Deploy }
  /** Contract call. */
  | { readonly type: 'call'; readonly value: Call }
  /** Replacement of a contract's code under its upgrade policy. */
  | { readonly type: 'upgrade'; readonly value: Upgrade }
  /** Calls that take effect together or not at all. */
  | { readonly type: 'batch'; readonly value: readonly Call[] };

export type VmType =
  | { readonly type: 'wasm'; readonly value?: null }
  /** Reserved: deployments are refused until the engine exists. */
  | { readonly type: 'evm'; readonly value?: null };

export type UpgradePolicy =
  /** The code never changes. */
  | { readonly type: 'immutable'; readonly value?: null }
  /** This account may replace the code at any time. */
  | { readonly type: 'admin'; readonly value: Uint8Array }
  /** An account may replace the code after an announcement. */
  | { readonly type: 'timelock'; readonly value: Timelock };

/** A signature with its public key, from which the sender's address is derived. */
export type Signature =
  | { readonly type: 'ed25519'; readonly value: Ed25519Signature }
  | { readonly type: 'secp256k1'; readonly value: Secp256k1Signature };

/** A block's items: first the keys, then transactions and envelopes, then dealings and changes. */
export type BlockItem =
  | { readonly type: 'transaction'; readonly value: SignedTransaction }
  /** A transaction with a sealed action. */
  | { readonly type: 'sealed'; readonly value: SignedEnvelope }
  /** Opens the envelopes of a height. */
  | { readonly type: 'seal_key'; readonly value: SealKey }
  /** One dealer's shares of the group key for the next epoch. */
  | { readonly type: 'dealing'; readonly value: Dealing }
  /** A change of the next epoch's validators. */
  | { readonly type: 'change'; readonly value: ApprovedChange }
  /** Proves that a dealer sealed garbage, so that its dealing does not count. */
  | { readonly type: 'complaint'; readonly value: Complaint };

export type Outcome =
  | { readonly type: 'success'; readonly value?: null }
  /** The transaction reverted; only nonce and fee changed. */
  | { readonly type: 'reverted'; readonly value?: null }
  | { readonly type: 'out_of_gas'; readonly value?: null }
  | { readonly type: 'trapped'; readonly value?: null }
  /** The transaction was executed, but its action could not succeed. */
  | { readonly type: 'invalid'; readonly value?: null };

/** A change of the next epoch's validator set. */
export type ValidatorChange =
  | { readonly type: 'add'; readonly value: NewValidator }
  | { readonly type: 'remove'; readonly value: Uint8Array };

export type DevChange =
  | { readonly type: 'balance'; readonly value: DevBalance }
  | { readonly type: 'slots'; readonly value: DevSlots }
  /** Puts a contract at an address, or replaces the one there, without running its code. Its slots remain. */
  | { readonly type: 'contract'; readonly value: DevContract }
  /** Removes the contract at this address. Its slots remain. */
  | { readonly type: 'no_contract'; readonly value: Uint8Array }
  | { readonly type: 'deploy_index'; readonly value: DevDeployIndex }
  /**
   * Performs an action as another account. The transaction's output, events, deployed contract and failure are those of
   * the action. At most one, as the last change.
   */
  | { readonly type: 'impersonate'; readonly value: DevImpersonation }
  /** Copies an account of the chain that this one was forked from. */
  | { readonly type: 'forked_account'; readonly value: DevForkedAccount }
  /** Copies slots of the chain that this one was forked from, present or not. */
  | { readonly type: 'forked_slots'; readonly value: DevSlots };

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
  readonly Ceremony: Ceremony;
  readonly CeremonyDealing: CeremonyDealing;
  readonly EncryptionKeys: EncryptionKeys;
  readonly GenesisAccount: GenesisAccount;
  readonly SealedHeader: SealedHeader;
  readonly SealedEnvelope: SealedEnvelope;
  readonly SignedEnvelope: SignedEnvelope;
  readonly PendingEnvelope: PendingEnvelope;
  readonly OpeningSchedule: OpeningSchedule;
  readonly ScheduledOpening: ScheduledOpening;
  readonly SealKey: SealKey;
  readonly Dealing: Dealing;
  readonly Ack: Ack;
  readonly SealedShare: SealedShare;
  readonly Complaint: Complaint;
  readonly DealingOrder: DealingOrder;
  readonly NewValidator: NewValidator;
  readonly ApprovedChange: ApprovedChange;
  readonly Approval: Approval;
  readonly ConsensusParameters: ConsensusParameters;
  readonly DevChanges: DevChanges;
  readonly DevForkedAccount: DevForkedAccount;
  readonly DevBalance: DevBalance;
  readonly DevSlots: DevSlots;
  readonly DevSlot: DevSlot;
  readonly DevContract: DevContract;
  readonly DevDeployIndex: DevDeployIndex;
  readonly DevImpersonation: DevImpersonation;
  readonly Action: Action;
  readonly VmType: VmType;
  readonly UpgradePolicy: UpgradePolicy;
  readonly Signature: Signature;
  readonly BlockItem: BlockItem;
  readonly Outcome: Outcome;
  readonly ValidatorChange: ValidatorChange;
  readonly DevChange: DevChange;
}

/** Everything that the IDL declares. */
export const ledgerManifest: $Manifest = {
  manifest_version: 1,
  interfaces: [],
  contracts: [],
  structs: [
    {
      name: "Transaction",
      doc: "A sender's request to the chain. Its hash, sha256(\"heddle/tx/1\" ‖ borsh(Transaction)), is signed by the sender and\nidentifies the transaction.",
      fields: [
        { name: "chain_id", doc: "Chain id; other chains refuse the transaction.", type: "u64" },
        { name: "sender", doc: "The account that pays and signs.", type: "address" },
        { name: "lane", doc: "Nonce lane of the sender. Lanes are independent of each other.", type: "u32" },
        { name: "nonce", doc: "Position in the lane; each lane counts from 0.", type: "u64" },
        { name: "gas_limit", doc: "Upper bound of the gas used; at most the gas left by earlier transactions of the block.", type: "u64" },
        { name: "max_fee", doc: "Upper bound of the price per unit of gas, base fee included.", type: "u128" },
        { name: "priority_fee", doc: "Upper bound of the proposer's share per unit of gas.", type: "u128" },
        { name: "valid_until", doc: "The last height at which the transaction may be included.", type: "u64", optional: true },
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
        { name: "delay", doc: "Blocks between announcement and upgrade.", type: "u64" },
      ],
    },
    {
      name: "SignedTransaction",
      fields: [
        { name: "transaction", type: "Transaction" },
        { name: "signature", doc: "Signature of the 32-byte transaction hash.", type: "Signature" },
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
        { name: "public_key", doc: "secp256k1, compressed.", type: "bytes33" },
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
        { name: "timestamp_ms", doc: "The proposer's clock; at least the parent's timestamp plus one.", type: "u64" },
        { name: "proposer", doc: "The proposer's index in the epoch's validator set.", type: "u32" },
        { name: "transactions_root", doc: "List root of the body's items.", type: "hash" },
        { name: "receipts_root", doc: "List root of the receipts, in execution order.", type: "hash" },
        { name: "state_root", doc: "Root of the state tree after this block.", type: "hash" },
        { name: "history_root", doc: "MMR root over the hashes of the blocks 0..height−1.", type: "hash" },
        { name: "validators_hash", doc: "sha256(borsh(ValidatorSet)) of the epoch's validator set.", type: "hash" },
        { name: "gas_used", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "base_fee", type: "u128" },
        { name: "seal_excess", doc: "Opening slots reserved above the target: max(0, the parent's seal_excess + the slots that the parent reserved − 8). It\nsets the price of a slot in this block: base_fee × 2,000,000 × fake_exponential(1, seal_excess, 68), the integer formula\nof EIP-4844, and at most 2^128 − 1.", type: "u64" },
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
      doc: "The committed outcome of a transaction.",
      fields: [
        { name: "tx_hash", type: "hash" },
        { name: "outcome", type: "Outcome" },
        { name: "gas_used", type: "u64" },
        { name: "fee", doc: "gas_used × (base fee + the priority fee paid). The inclusion of an envelope adds its opening slots × the price of a\nslot, which is burned.", type: "u128" },
        { name: "contract", doc: "The deployed contract.", type: "address", optional: true },
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
      doc: "An account's value in the state tree. All-zero accounts are not in the state.",
      fields: [
        { name: "balance", type: "u128" },
        { name: "lanes", doc: "Used lanes in ascending order; at most 256.", type: { list: "Lane" } },
        { name: "deploy_index", doc: "Number of contracts deployed by the account.", type: "u64" },
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
        { name: "deployed_at", doc: "The height of the block that deployed the contract.", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "PendingUpgrade",
      fields: [
        { name: "code_hash", type: "hash" },
        { name: "idl_hash", type: "hash", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "ready_at", doc: "First height at which the upgrade may be applied.", type: "u64" },
      ],
    },
    {
      name: "ValidatorSet",
      doc: "The validators of an epoch. The header's validators_hash is sha256 of its Borsh encoding.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "quorum", doc: "Number of validators that a certificate needs.", type: "u32" },
        { name: "group_public_key", doc: "BLS12-381 public key of the whole set, G1, 48 bytes compressed.", type: "bytes" },
        { name: "validators", type: { list: "Validator" } },
      ],
    },
    {
      name: "Validator",
      fields: [
        { name: "index", type: "u32" },
        { name: "address", doc: "Address that receives the priority fees.", type: "address" },
        { name: "identity_key", doc: "ed25519 public key.", type: "bytes32" },
        { name: "share_public_key", doc: "Public key of the validator's share of the group key, G1, 48 bytes compressed.", type: "bytes" },
      ],
    },
    {
      name: "Genesis",
      doc: "Content of block 0.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "timestamp_ms", type: "u64" },
        { name: "gas_limit", doc: "Gas limit of every block.", type: "u64" },
        { name: "base_fee", doc: "Base fee of block 0.", type: "u128" },
        { name: "extra", type: "bytes", optional: true },
        { name: "validator_set", type: "ValidatorSet" },
        { name: "encryption_keys", doc: "The validators' encryption keys, by index; G1, compressed. Required unless there is a single validator.", type: { list: "bytes48" }, optional: true },
        { name: "accounts", type: { list: "GenesisAccount" } },
        { name: "epoch_length", doc: "Length of an epoch in blocks: epoch e ends with the block of height (e + 1) × epoch_length. Default 10,000.", type: "u64", optional: true },
        { name: "ceremony", doc: "Origin of the group key. If absent, a single dealer created the group key and knows it; such a chain admits no\nfurther validators.", type: "Ceremony", optional: true },
      ],
    },
    {
      name: "Ceremony",
      doc: "The ceremony in which the first validators generated the group key; nobody knows its private key.",
      fields: [
        { name: "dealings", doc: "One dealing of each validator, by index; the key is their sum.", type: { list: "CeremonyDealing" } },
        { name: "signatures", doc: "Each validator's ed25519 signature of \"heddle/ceremony/1\" ‖ the transcript's hash, by index.", type: { list: "bytes64" } },
      ],
    },
    {
      name: "CeremonyDealing",
      fields: [
        { name: "dealer", type: "u32" },
        { name: "commitments", doc: "Commitments to the dealer's polynomial, constant first; G1, compressed.", type: { list: "bytes48" } },
      ],
    },
    {
      name: "EncryptionKeys",
      doc: "State record: the encryption keys of the present validator set.",
      fields: [
        { name: "keys", doc: "By index; G1, compressed. Empty only with a single validator.", type: { list: "bytes48" } },
      ],
    },
    {
      name: "GenesisAccount",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", type: "u128" },
      ],
    },
    {
      name: "SealedHeader",
      doc: "Public part of a sealed transaction.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "sender", type: "address" },
        { name: "lane", type: "u32" },
        { name: "nonce", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "max_fee", type: "u128" },
        { name: "priority_fee", type: "u128" },
        { name: "max_seal_fee", doc: "Upper bound of the price of all its opening slots together. An opening slot is 1/64 of a block's gas limit; the envelope\nreserves max(1, ⌈gas for its action / slot⌉) of them, where the gas for its action is gas_limit minus the gas of the\ninclusion without the opening of a lane. Unused slots are not paid back.", type: "u128" },
        { name: "opens_at", doc: "Height whose key opens the envelope; the envelope is included below that height.", type: "u64" },
      ],
    },
    {
      name: "SealedEnvelope",
      doc: "A transaction whose action is unreadable until the key of its height is known. Its hash, sha256(\"heddle/sealed/1\"\n‖ borsh(SealedEnvelope)), identifies it and is signed by the sender.",
      fields: [
        { name: "header", type: "SealedHeader" },
        { name: "u", doc: "r·G1, compressed.", type: "bytes48" },
        { name: "v", doc: "Sigma, masked with the pairing.", type: "bytes32" },
        { name: "w", doc: "The payload's key, masked with sigma.", type: "bytes32" },
        { name: "payload", doc: "XChaCha20-Poly1305 of borsh(Action), with the header as associated data.", type: "bytes" },
      ],
    },
    {
      name: "SignedEnvelope",
      fields: [
        { name: "envelope", type: "SealedEnvelope" },
        { name: "signature", doc: "Signature of the 32-byte envelope hash.", type: "Signature" },
      ],
    },
    {
      name: "PendingEnvelope",
      doc: "State entry of an included sealed transaction that has not been opened yet.",
      fields: [
        { name: "signed", type: "SignedEnvelope" },
        { name: "gas_used", doc: "Gas charged for the inclusion.", type: "u64" },
        { name: "base_fee", doc: "Base fee of the including block.", type: "u128" },
        { name: "deposit", doc: "Balance reserved for the action's gas.", type: "u128" },
      ],
    },
    {
      name: "OpeningSchedule",
      doc: "State entry of the heights with unopened envelopes; absent if there are none.",
      fields: [
        { name: "openings", doc: "Ascending by height.", type: { list: "ScheduledOpening" } },
        { name: "reserved_at", doc: "Height of the last block that included an envelope.", type: "u64" },
        { name: "reserved", doc: "Opening slots that this block reserved, for any heights; at most 16.", type: "u32" },
      ],
    },
    {
      name: "ScheduledOpening",
      fields: [
        { name: "height", type: "u64" },
        { name: "count", doc: "Number of envelopes.", type: "u32" },
        { name: "slots", doc: "Opening slots that the envelopes reserve; at most 16.", type: "u32" },
      ],
    },
    {
      name: "SealKey",
      doc: "The key of a height; it opens everything sealed to that height.",
      fields: [
        { name: "height", type: "u64" },
        { name: "signature", doc: "BLS signature of \"heddle/seal/1\" ‖ u64le chain_id ‖ u64le height under the group key.", type: "bytes96" },
      ],
    },
    {
      name: "Dealing",
      doc: "One share holder's contribution to resharing the group key to the next epoch's validators.",
      fields: [
        { name: "epoch", doc: "Epoch of the dealing.", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "commitments", doc: "Commitments to the dealer's polynomial, constant first; G1, compressed.", type: { list: "bytes48" } },
        { name: "encryption_key", doc: "The dealer's encryption key from the next epoch on; G1, compressed.", type: "bytes48" },
        { name: "acks", doc: "Ascending by player.", type: { list: "Ack" } },
        { name: "sealed", doc: "Ascending by player: the evaluations of players that did not acknowledge.", type: { list: "SealedShare" } },
        { name: "signature", doc: "ed25519 of \"heddle/dealing/3\" ‖ u64le chain_id ‖ borsh of the rest.", type: "bytes64" },
      ],
    },
    {
      name: "Ack",
      fields: [
        { name: "player", type: "u32" },
        { name: "signature", doc: "ed25519 of \"heddle/ack/2\" ‖ u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player ‖\nsha256(borsh(commitments)).", type: "bytes64" },
      ],
    },
    {
      name: "SealedShare",
      doc: "A player's evaluation, encrypted to the player's encryption key X. E = r·G1 and D = r·X for a random scalar r; context =\nu64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player.",
      fields: [
        { name: "player", type: "u32" },
        { name: "ephemeral", doc: "E; G1, compressed.", type: "bytes48" },
        { name: "share", doc: "evaluation (32 bytes, big-endian) ⊕ sha256(\"heddle/share/1\" ‖ context ‖ E ‖ D).", type: "bytes32" },
        { name: "challenge", doc: "With `response` proves that the dealer knows r (Schnorr): sha256(\"heddle/sealed-share/1\" ‖ context ‖ X ‖ E ‖ share ‖ A)\nas a big-endian integer modulo the group order, A = k·G1 for a random scalar k.", type: "bytes32" },
        { name: "response", doc: "k + challenge × r modulo the group order.", type: "bytes32" },
      ],
    },
    {
      name: "Complaint",
      doc: "A player's public proof that a dealer sealed garbage to it: the decryption key D, with a Chaum–Pedersen proof that\nlog_G1 X = log_E D. The proof's commitments are A = k·G1 and B = k·E for a random scalar k.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "player", type: "u32" },
        { name: "shared", doc: "D; G1, compressed.", type: "bytes48" },
        { name: "challenge", doc: "sha256(\"heddle/complaint/1\" ‖ context ‖ X ‖ E ‖ D ‖ A ‖ B) as a big-endian integer modulo the group order.", type: "bytes32" },
        { name: "response", doc: "k + challenge × x modulo the group order, x the private encryption key.", type: "bytes32" },
      ],
    },
    {
      name: "DealingOrder",
      doc: "State record: the dealers of an epoch whose dealings are in blocks.",
      fields: [
        { name: "dealers", doc: "In block order.", type: { list: "u32" } },
      ],
    },
    {
      name: "NewValidator",
      fields: [
        { name: "identity_key", doc: "ed25519 public key.", type: "bytes32" },
        { name: "encryption_key", doc: "Evaluations that the validator did not acknowledge are encrypted to this key; G1, compressed. Its dealings renew it.", type: "bytes48" },
        { name: "endpoint", doc: "Host and port of the validator in the mesh.", type: "string" },
      ],
    },
    {
      name: "ApprovedChange",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "change", type: "ValidatorChange" },
        { name: "approvals", doc: "Signatures of a quorum, ascending by index.", type: { list: "Approval" } },
      ],
    },
    {
      name: "Approval",
      fields: [
        { name: "index", type: "u32" },
        { name: "signature", doc: "ed25519 of \"heddle/change/1\" ‖ u64le chain_id ‖ u64le epoch ‖ borsh(change).", type: "bytes64" },
      ],
    },
    {
      name: "ConsensusParameters",
      doc: "Consensus parameters of a chain. If they differ from the default, block 0's header contains them: extra =\n\"heddle/parameters/1\" ‖ borsh(ConsensusParameters).",
      fields: [
        { name: "epoch_length", type: "u64" },
        { name: "ceremony", doc: "Whether validators generated the group key in a ceremony; otherwise no further validators are admitted.", type: "bool" },
      ],
    },
    {
      name: "DevChanges",
      doc: "Input of a development control: a call by the development controller to the controls' address. It takes effect on\ndevelopment chains only; elsewhere it is a call to an address without a contract.",
      fields: [
        { name: "changes", doc: "In this order; all take effect or none. At most 4,096, slots counted one by one.", type: { list: "DevChange" } },
      ],
    },
    {
      name: "DevForkedAccount",
      doc: "The account replaces the one at the address, nonces included.",
      fields: [
        { name: "address", type: "address" },
        { name: "account", type: "AccountRecord" },
        { name: "code", doc: "The code of its contract.", type: "bytes", optional: true },
        { name: "idl", doc: "The contract's interface text; without it the copied contract has no interface.", type: "string", optional: true },
      ],
    },
    {
      name: "DevBalance",
      fields: [
        { name: "address", type: "address" },
        { name: "amount", doc: "At most 2^96.", type: "u128" },
      ],
    },
    {
      name: "DevSlots",
      fields: [
        { name: "contract", type: "address" },
        { name: "slots", type: { list: "DevSlot" } },
      ],
    },
    {
      name: "DevSlot",
      fields: [
        { name: "slot", type: "bytes32" },
        { name: "value", doc: "At most 16 KiB. If absent, the slot is removed.", type: "bytes", optional: true },
      ],
    },
    {
      name: "DevContract",
      fields: [
        { name: "address", type: "address" },
        { name: "vm", type: "VmType" },
        { name: "code", type: "bytes" },
        { name: "idl", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "deployer", type: "address" },
        { name: "deployed_at", type: "u64" },
        { name: "pending_upgrade", type: "PendingUpgrade", optional: true },
      ],
    },
    {
      name: "DevDeployIndex",
      doc: "Sets the number of contracts deployed by an account, which determines the address of its next contract.",
      fields: [
        { name: "address", type: "address" },
        { name: "deploy_index", type: "u64" },
      ],
    },
    {
      name: "DevImpersonation",
      fields: [
        { name: "sender", doc: "The account that acts and pays the amounts; its nonces stay the same.", type: "address" },
        { name: "action", type: "Action" },
      ],
    },
  ],
  enums: [
    {
      name: "Action",
      variants: [
        { name: "Transfer", tag: "transfer", doc: "Transfer of native balance.", payload: "Transfer" },
        { name: "Deploy", tag: "deploy", doc: "Deployment of a contract.", payload: "Deploy" },
        { name: "Call", tag: "call", doc: "Contract call.", payload: "Call" },
        { name: "Upgrade", tag: "upgrade", doc: "Replacement of a contract's code under its upgrade policy.", payload: "Upgrade" },
        { name: "Batch", tag: "batch", doc: "Calls that take effect together or not at all.", payload: { list: "Call" } },
      ],
    },
    {
      name: "VmType",
      variants: [
        { name: "Wasm", tag: "wasm" },
        { name: "Evm", tag: "evm", doc: "Reserved: deployments are refused until the engine exists." },
      ],
    },
    {
      name: "UpgradePolicy",
      variants: [
        { name: "Immutable", tag: "immutable", doc: "The code never changes." },
        { name: "Admin", tag: "admin", doc: "This account may replace the code at any time.", payload: "address" },
        { name: "Timelock", tag: "timelock", doc: "An account may replace the code after an announcement.", payload: "Timelock" },
      ],
    },
    {
      name: "Signature",
      doc: "A signature with its public key, from which the sender's address is derived.",
      variants: [
        { name: "Ed25519", tag: "ed25519", payload: "Ed25519Signature" },
        { name: "Secp256k1", tag: "secp256k1", payload: "Secp256k1Signature" },
      ],
    },
    {
      name: "BlockItem",
      doc: "A block's items: first the keys, then transactions and envelopes, then dealings and changes.",
      variants: [
        { name: "Transaction", tag: "transaction", payload: "SignedTransaction" },
        { name: "Sealed", tag: "sealed", doc: "A transaction with a sealed action.", payload: "SignedEnvelope" },
        { name: "SealKey", tag: "seal_key", doc: "Opens the envelopes of a height.", payload: "SealKey" },
        { name: "Dealing", tag: "dealing", doc: "One dealer's shares of the group key for the next epoch.", payload: "Dealing" },
        { name: "Change", tag: "change", doc: "A change of the next epoch's validators.", payload: "ApprovedChange" },
        { name: "Complaint", tag: "complaint", doc: "Proves that a dealer sealed garbage, so that its dealing does not count.", payload: "Complaint" },
      ],
    },
    {
      name: "Outcome",
      variants: [
        { name: "Success", tag: "success" },
        { name: "Reverted", tag: "reverted", doc: "The transaction reverted; only nonce and fee changed." },
        { name: "OutOfGas", tag: "out_of_gas" },
        { name: "Trapped", tag: "trapped" },
        { name: "Invalid", tag: "invalid", doc: "The transaction was executed, but its action could not succeed." },
      ],
    },
    {
      name: "ValidatorChange",
      doc: "A change of the next epoch's validator set.",
      variants: [
        { name: "Add", tag: "add", payload: "NewValidator" },
        { name: "Remove", tag: "remove", payload: "address" },
      ],
    },
    {
      name: "DevChange",
      variants: [
        { name: "Balance", tag: "balance", payload: "DevBalance" },
        { name: "Slots", tag: "slots", payload: "DevSlots" },
        { name: "Contract", tag: "contract", doc: "Puts a contract at an address, or replaces the one there, without running its code. Its slots remain.", payload: "DevContract" },
        { name: "NoContract", tag: "no_contract", doc: "Removes the contract at this address. Its slots remain.", payload: "address" },
        { name: "DeployIndex", tag: "deploy_index", payload: "DevDeployIndex" },
        { name: "Impersonate", tag: "impersonate", doc: "Performs an action as another account. The transaction's output, events, deployed contract and failure are those of\nthe action. At most one, as the last change.", payload: "DevImpersonation" },
        { name: "ForkedAccount", tag: "forked_account", doc: "Copies an account of the chain that this one was forked from.", payload: "DevForkedAccount" },
        { name: "ForkedSlots", tag: "forked_slots", doc: "Copies slots of the chain that this one was forked from, present or not.", payload: "DevSlots" },
      ],
    },
  ],
  aliases: [],
};
