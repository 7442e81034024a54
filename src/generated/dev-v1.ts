// Generated from idl/ledger.idl and idl/dev_v1.idl by `heddle idl generate`. Do not edit.
import type { Manifest as $Manifest } from '../idl/manifest.js';
import type {
  Transaction,
  Transfer,
  Deploy,
  Call,
  Upgrade,
  Timelock,
  SignedTransaction,
  Ed25519Signature,
  Secp256k1Signature,
  BlockHeader,
  BlockBody,
  LedgerReceipt,
  LedgerLog,
  AccountRecord,
  Lane,
  ContractRecord,
  PendingUpgrade,
  ValidatorSet,
  Validator,
  Genesis,
  Ceremony,
  CeremonyDealing,
  EncryptionKeys,
  GenesisAccount,
  SealedHeader,
  SealedEnvelope,
  SignedEnvelope,
  PendingEnvelope,
  OpeningSchedule,
  ScheduledOpening,
  SealKey,
  Dealing,
  Ack,
  SealedShare,
  Complaint,
  DealingOrder,
  NewValidator,
  ApprovedChange,
  Approval,
  ConsensusParameters,
  DevChanges,
  DevForkedAccount,
  DevBalance,
  DevSlots,
  DevSlot,
  DevContract,
  DevDeployIndex,
  DevImpersonation,
  Action,
  VmType,
  UpgradePolicy,
  Signature,
  BlockItem,
  Outcome,
  ValidatorChange,
  DevChange,
} from './ledger.js';

export interface DevMineArgs {
  /** Number of blocks, at most 1,000; default 1. */
  readonly count?: number;
  /** Time between the blocks, in milliseconds; default: as the clock goes. */
  readonly interval_ms?: bigint;
}

export interface DevMineResult {
  /** The number of blocks sealed. */
  readonly count: number;
  /** The last block. */
  readonly last: DevBlock;
}

export interface DevBlock {
  readonly height: bigint;
  readonly hash: Uint8Array;
  readonly state_root: Uint8Array;
  readonly timestamp_ms: bigint;
}

/** A control in a block. */
export interface DevControlResult {
  readonly block: DevBlock;
  readonly tx_hash: Uint8Array;
}

export interface DevSetCodeArgs {
  readonly address: Uint8Array;
  /** If absent, the contract is removed. */
  readonly code?: Uint8Array;
  /** The contract's interface text; default: that of the contract there. */
  readonly idl?: string;
  /** Default: that of the contract there, or WebAssembly. */
  readonly vm?: VmType;
}

export interface DevImpersonateArgs {
  readonly sender: Uint8Array;
  readonly action: Action;
  /** Default and maximum: three quarters of a block's gas. */
  readonly gas_limit?: bigint;
}

export interface DevImpersonateResult {
  readonly block: DevBlock;
  readonly tx_hash: Uint8Array;
  readonly outcome: Outcome;
  /** Why the action failed. */
  readonly message?: string;
  readonly gas_used: bigint;
  /** The deployed contract. */
  readonly contract?: Uint8Array;
  /** What the contract returned, or the data of its revert. */
  readonly output: Uint8Array;
}

export interface DevSnapshot {
  /** Greater than that of every earlier snapshot of the chain. */
  readonly id: bigint;
  readonly state_root: Uint8Array;
}

/** The blocks of many changes. */
export interface DevChangesResult {
  /** Number of changes; 0 if the state was as wanted, and there are no new blocks. */
  readonly changes: number;
  /** The last block. */
  readonly last: DevBlock;
  /** The controls, in block order. */
  readonly tx_hashes: readonly Uint8Array[];
}

export interface DevStatePage {
  readonly height: bigint;
  /** A contract with many slots may continue on the next page, as another entry of the same address. */
  readonly accounts: readonly DevAccount[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  /** The chain's clock. */
  readonly timestamp_ms?: bigint;
}

export interface DevAccount {
  readonly address: Uint8Array;
  /** Absent in an entry that continues another. */
  readonly balance?: bigint;
  /** Number of deployed contracts. */
  readonly deploy_index?: bigint;
  readonly contract?: DevAccountContract;
  readonly slots?: readonly DevSlot[];
}

export interface DevAccountContract {
  readonly vm: VmType;
  readonly code: Uint8Array;
  readonly idl?: string;
  readonly abi_version: number;
  readonly upgrade_policy: UpgradePolicy;
  readonly deployer: Uint8Array;
  readonly deployed_at: bigint;
}

/** Every struct and enum by its name. */
export interface DevV1Types {
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
  readonly DevMineArgs: DevMineArgs;
  readonly DevMineResult: DevMineResult;
  readonly DevBlock: DevBlock;
  readonly DevControlResult: DevControlResult;
  readonly DevSetCodeArgs: DevSetCodeArgs;
  readonly DevImpersonateArgs: DevImpersonateArgs;
  readonly DevImpersonateResult: DevImpersonateResult;
  readonly DevSnapshot: DevSnapshot;
  readonly DevChangesResult: DevChangesResult;
  readonly DevStatePage: DevStatePage;
  readonly DevAccount: DevAccount;
  readonly DevAccountContract: DevAccountContract;
  readonly Action: Action;
  readonly VmType: VmType;
  readonly UpgradePolicy: UpgradePolicy;
  readonly Signature: Signature;
  readonly BlockItem: BlockItem;
  readonly Outcome: Outcome;
  readonly ValidatorChange: ValidatorChange;
  readonly DevChange: DevChange;
}

/** Parameters and result of every method of DevV1, by its name. */
export interface DevV1Methods {
  /** Seals blocks at once, with the pool's transactions. Ends early if the caller goes. */
  readonly dev_mine: { readonly params: DevMineArgs; readonly result: DevMineResult };
  /**
   * Sets the chain's clock and seals a block with that time, in milliseconds since 1970. The clock goes on from there, also
   * after a restart. It cannot go back before the last block.
   */
  readonly dev_setTime: { readonly params: { readonly timestamp_ms: bigint }; readonly result: DevBlock };
  /** Advances the chain's clock by milliseconds and seals a block. */
  readonly dev_increaseTime: { readonly params: { readonly ms: bigint }; readonly result: DevBlock };
  /** Sets a balance, at most 2^96. */
  readonly dev_setBalance: { readonly params: { readonly address: Uint8Array; readonly amount: bigint }; readonly result: DevControlResult };
  /** Sets a slot of a contract, or removes it if `value` is absent. */
  readonly dev_setStorage: { readonly params: { readonly contract: Uint8Array; readonly slot: Uint8Array; readonly value?: Uint8Array }; readonly result: DevControlResult };
  /** Puts a contract at an address without running its code, or replaces the code of the one there; its slots remain. */
  readonly dev_setCode: { readonly params: DevSetCodeArgs; readonly result: DevControlResult };
  /**
   * Performs an action as another account, which pays the amounts but no fee; its nonces stay the same. A failure of the
   * action is a result. `tx_receipt` of `tx_hash` has the events.
   */
  readonly dev_impersonate: { readonly params: DevImpersonateArgs; readonly result: DevImpersonateResult };
  /** Names the present state, for `dev_revert`. Its history is kept until then, also after a restart. At most 64 snapshots. */
  readonly dev_snapshot: { readonly params: { readonly [name: string]: never }; readonly result: DevSnapshot };
  /**
   * Restores all balances, contracts, slots and deployment indexes of a snapshot in new blocks. Heights, times and nonces
   * never go back, and unopened envelopes remain. The snapshot and all later ones end.
   */
  readonly dev_revert: { readonly params: { readonly id: bigint }; readonly result: DevChangesResult };
  /**
   * A page of all accounts of the state with their contracts and slots, ascending by address. All pages of a listing show
   * the height of its first page.
   */
  readonly dev_dumpState: { readonly params: { readonly cursor?: string }; readonly result: DevStatePage };
  /**
   * Sets the balances, contracts, slots and deployment indexes of accounts, in one or several blocks; all other state
   * remains. Takes the accounts of a page of `dev_dumpState`. The chain's clock goes on from `timestamp_ms`, unless the last
   * block has that time or a later one.
   */
  readonly dev_loadState: { readonly params: { readonly accounts: readonly DevAccount[]; readonly timestamp_ms?: bigint }; readonly result: DevChangesResult };
}

/** Everything that the IDL declares. */
export const devV1Manifest: $Manifest = {
  manifest_version: 1,
  interfaces: [
    {
      name: "DevV1",
      doc: "Controls of a development chain, for tests and demonstrations. A development chain is one whose group key is the public\ndevelopment key, as with `heddle start` without a genesis file. Its only validator serves the controls; every other node\nanswers `forbidden`. A control that changes the chain is in a block, so followers, verification and proofs hold.\nControls run one after another; a call is answered once its last block is committed.",
      methods: [
        { name: "dev_mine", doc: "Seals blocks at once, with the pool's transactions. Ends early if the caller goes.", since: "1.0", params: [{ name: "args", type: "DevMineArgs" }], returns: "DevMineResult", tier: "admin", cost: 10 },
        { name: "dev_setTime", doc: "Sets the chain's clock and seals a block with that time, in milliseconds since 1970. The clock goes on from there, also\nafter a restart. It cannot go back before the last block.", since: "1.0", params: [{ name: "timestamp_ms", type: "u64" }], returns: "DevBlock", tier: "admin", cost: 10 },
        { name: "dev_increaseTime", doc: "Advances the chain's clock by milliseconds and seals a block.", since: "1.0", params: [{ name: "ms", type: "u64" }], returns: "DevBlock", tier: "admin", cost: 10 },
        { name: "dev_setBalance", doc: "Sets a balance, at most 2^96.", since: "1.0", params: [{ name: "address", type: "address" }, { name: "amount", type: "u128" }], returns: "DevControlResult", tier: "admin", cost: 10 },
        { name: "dev_setStorage", doc: "Sets a slot of a contract, or removes it if `value` is absent.", since: "1.0", params: [{ name: "contract", type: "address" }, { name: "slot", type: "bytes32" }, { name: "value", type: "bytes", optional: true }], returns: "DevControlResult", tier: "admin", cost: 10 },
        { name: "dev_setCode", doc: "Puts a contract at an address without running its code, or replaces the code of the one there; its slots remain.", since: "1.0", params: [{ name: "args", type: "DevSetCodeArgs" }], returns: "DevControlResult", tier: "admin", cost: 10 },
        { name: "dev_impersonate", doc: "Performs an action as another account, which pays the amounts but no fee; its nonces stay the same. A failure of the\naction is a result. `tx_receipt` of `tx_hash` has the events.", since: "1.0", params: [{ name: "args", type: "DevImpersonateArgs" }], returns: "DevImpersonateResult", tier: "admin", cost: 10 },
        { name: "dev_snapshot", doc: "Names the present state, for `dev_revert`. Its history is kept until then, also after a restart. At most 64 snapshots.", since: "1.0", params: [], returns: "DevSnapshot", tier: "admin", cost: 10 },
        { name: "dev_revert", doc: "Restores all balances, contracts, slots and deployment indexes of a snapshot in new blocks. Heights, times and nonces\nnever go back, and unopened envelopes remain. The snapshot and all later ones end.", since: "1.0", params: [{ name: "id", type: "u64" }], returns: "DevChangesResult", tier: "admin", cost: 50 },
        { name: "dev_dumpState", doc: "A page of all accounts of the state with their contracts and slots, ascending by address. All pages of a listing show\nthe height of its first page.", since: "1.0", params: [{ name: "cursor", type: "string", optional: true }], returns: "DevStatePage", tier: "admin", cost: 50 },
        { name: "dev_loadState", doc: "Sets the balances, contracts, slots and deployment indexes of accounts, in one or several blocks; all other state\nremains. Takes the accounts of a page of `dev_dumpState`. The chain's clock goes on from `timestamp_ms`, unless the last\nblock has that time or a later one.", since: "1.0", params: [{ name: "accounts", type: { list: "DevAccount" } }, { name: "timestamp_ms", type: "u64", optional: true }], returns: "DevChangesResult", tier: "admin", cost: 50 },
      ],
    },
  ],
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
    {
      name: "DevMineArgs",
      fields: [
        { name: "count", doc: "Number of blocks, at most 1,000; default 1.", type: "u32", optional: true },
        { name: "interval_ms", doc: "Time between the blocks, in milliseconds; default: as the clock goes.", type: "u64", optional: true },
      ],
    },
    {
      name: "DevMineResult",
      fields: [
        { name: "count", doc: "The number of blocks sealed.", type: "u32" },
        { name: "last", doc: "The last block.", type: "DevBlock" },
      ],
    },
    {
      name: "DevBlock",
      fields: [
        { name: "height", type: "u64" },
        { name: "hash", type: "hash" },
        { name: "state_root", type: "hash" },
        { name: "timestamp_ms", type: "u64" },
      ],
    },
    {
      name: "DevControlResult",
      doc: "A control in a block.",
      fields: [
        { name: "block", type: "DevBlock" },
        { name: "tx_hash", type: "hash" },
      ],
    },
    {
      name: "DevSetCodeArgs",
      fields: [
        { name: "address", type: "address" },
        { name: "code", doc: "If absent, the contract is removed.", type: "bytes", optional: true },
        { name: "idl", doc: "The contract's interface text; default: that of the contract there.", type: "string", optional: true },
        { name: "vm", doc: "Default: that of the contract there, or WebAssembly.", type: "VmType", optional: true },
      ],
    },
    {
      name: "DevImpersonateArgs",
      fields: [
        { name: "sender", type: "address" },
        { name: "action", type: "Action" },
        { name: "gas_limit", doc: "Default and maximum: three quarters of a block's gas.", type: "u64", optional: true },
      ],
    },
    {
      name: "DevImpersonateResult",
      fields: [
        { name: "block", type: "DevBlock" },
        { name: "tx_hash", type: "hash" },
        { name: "outcome", type: "Outcome" },
        { name: "message", doc: "Why the action failed.", type: "string", optional: true },
        { name: "gas_used", type: "u64" },
        { name: "contract", doc: "The deployed contract.", type: "address", optional: true },
        { name: "output", doc: "What the contract returned, or the data of its revert.", type: "bytes" },
      ],
    },
    {
      name: "DevSnapshot",
      fields: [
        { name: "id", doc: "Greater than that of every earlier snapshot of the chain.", type: "u64" },
        { name: "state_root", type: "hash" },
      ],
    },
    {
      name: "DevChangesResult",
      doc: "The blocks of many changes.",
      fields: [
        { name: "changes", doc: "Number of changes; 0 if the state was as wanted, and there are no new blocks.", type: "u32" },
        { name: "last", doc: "The last block.", type: "DevBlock" },
        { name: "tx_hashes", doc: "The controls, in block order.", type: { list: "hash" } },
      ],
    },
    {
      name: "DevStatePage",
      fields: [
        { name: "height", type: "u64" },
        { name: "accounts", doc: "A contract with many slots may continue on the next page, as another entry of the same address.", type: { list: "DevAccount" } },
        { name: "next_cursor", doc: "Absent on the last page.", type: "string", optional: true },
        { name: "timestamp_ms", doc: "The chain's clock.", type: "u64", optional: true },
      ],
    },
    {
      name: "DevAccount",
      fields: [
        { name: "address", type: "address" },
        { name: "balance", doc: "Absent in an entry that continues another.", type: "u128", optional: true },
        { name: "deploy_index", doc: "Number of deployed contracts.", type: "u64", optional: true },
        { name: "contract", type: "DevAccountContract", optional: true },
        { name: "slots", type: { list: "DevSlot" }, optional: true },
      ],
    },
    {
      name: "DevAccountContract",
      fields: [
        { name: "vm", type: "VmType" },
        { name: "code", type: "bytes" },
        { name: "idl", type: "string", optional: true },
        { name: "abi_version", type: "u32" },
        { name: "upgrade_policy", type: "UpgradePolicy" },
        { name: "deployer", type: "address" },
        { name: "deployed_at", type: "u64" },
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
