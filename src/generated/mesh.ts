// Generated from idl/ledger.idl and idl/mesh.idl by `heddle idl generate`. Do not edit.
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

/**
 * One validator's vote. The bytes signed are "heddle/" ‖ kind ‖ "/1" ‖ u64le chain_id ‖ u64le epoch ‖ u64le view, and, except
 * for nullify, ‖ u64le parent_view ‖ block_hash.
 */
export interface Vote {
  readonly kind: VoteKind;
  readonly epoch: bigint;
  readonly view: bigint;
  /** 0 for nullify. */
  readonly parent_view: bigint;
  /** 32 zero bytes for nullify. */
  readonly block_hash: Uint8Array;
  /** Index in the epoch's validator set. */
  readonly signer: number;
  /** BLS signature of the message under the signer's share. */
  readonly partial: Uint8Array;
  /** ed25519 signature of "heddle/vote/1" ‖ message under the signer's identity key. */
  readonly signature: Uint8Array;
}

/** A quorum of votes for one message: a notarization, nullification or finalization. */
export interface VoteCertificate {
  readonly kind: VoteKind;
  readonly epoch: bigint;
  readonly view: bigint;
  readonly parent_view: bigint;
  readonly block_hash: Uint8Array;
  /** BLS signature of the message under the group key. */
  readonly signature: Uint8Array;
}

/** Subject of a vote. */
export interface VotedMessage {
  readonly kind: VoteKind;
  readonly epoch: bigint;
  readonly view: bigint;
  readonly parent_view: bigint;
  readonly block_hash: Uint8Array;
}

/** Two conflicting votes of one signer; an honest validator casts at most one of them. */
export interface VoteEvidence {
  readonly first: Vote;
  readonly second: Vote;
}

/** Wire form of a block: borsh(BlockHeader) and borsh(BlockBody). */
export interface EncodedBlock {
  readonly header: Uint8Array;
  readonly body: Uint8Array;
}

/** A validator's partial key for a height with sealed transactions. */
export interface SealShare {
  /** Epoch of the share that signs. */
  readonly epoch: bigint;
  readonly height: bigint;
  readonly signer: number;
  /** BLS signature of "heddle/seal/1" ‖ u64le chain_id ‖ u64le height under the signer's share. */
  readonly partial: Uint8Array;
}

/** A dealer's message to one player during resharing: the dealer's commitments and the player's evaluation. Secret. */
export interface DealtShare {
  readonly epoch: bigint;
  readonly dealer: number;
  readonly commitments: readonly Uint8Array[];
  /** Big-endian, below the group order. */
  readonly share: Uint8Array;
}

/** A player's acknowledgement of a dealt share, sent back to the dealer. */
export interface DealtAck {
  readonly epoch: bigint;
  readonly dealer: number;
  readonly ack: Ack;
}

export interface ResharingRecord {
  /** Epoch of the dealing. */
  readonly epoch: bigint;
  /** Absent if the validator has no share to deal. */
  readonly own?: OwnDealing;
  /** Evaluations of acknowledged dealings, and those that were sealed to this validator, ascending by dealer. */
  readonly received: readonly ReceivedShare[];
}

/** Secrets of a validator's own dealing. */
export interface OwnDealing {
  /** Coefficients of the polynomial, constant first, big-endian. */
  readonly polynomial: readonly Uint8Array[];
  /** The scalars of sealed shares derive from it, so that a restarted dealer seals the same. */
  readonly seed: Uint8Array;
  /** The dealing's encryption key; its private half is in the file of encryption keys. */
  readonly encryption_key: Uint8Array;
}

export interface ReceivedShare {
  readonly dealer: number;
  /** sha256(borsh(commitments)). */
  readonly commitments_digest: Uint8Array;
  /** Big-endian, below the group order. */
  readonly share: Uint8Array;
}

/** Configuration agreed on by all participants; messages carry sha256 of its Borsh encoding. */
export interface CeremonyConfiguration {
  readonly chain_id: bigint;
  readonly timestamp_ms: bigint;
  readonly gas_limit: bigint;
  readonly base_fee: bigint;
  readonly extra?: Uint8Array;
  readonly accounts: readonly GenesisAccount[];
  readonly epoch_length?: bigint;
  /** The participants in the order of their indices. */
  readonly validators: readonly NewValidator[];
}

/** One message of a participant. */
export interface CeremonyMessage {
  /** sha256(borsh(CeremonyConfiguration)). */
  readonly configuration: Uint8Array;
  /** Number of the attempt, from 1. Attempts share no data. */
  readonly attempt: number;
  readonly sender: number;
  readonly body: CeremonyBody;
  /**
   * ed25519 of "heddle/ceremony-message/1" ‖ configuration ‖ u32le attempt ‖ u32le sender ‖ the body's variant byte
   * ‖ sha256(borsh(body)).
   */
  readonly signature: Uint8Array;
}

/** A participant's signature of the result. */
export interface CeremonyApproval {
  /** sha256(borsh(Genesis)) of the genesis without the ceremony's signatures. */
  readonly transcript: Uint8Array;
  /** ed25519 of "heddle/ceremony/1" ‖ transcript. */
  readonly signature: Uint8Array;
  /** sha256(borsh(body)) of each participant's commitments, by index. */
  readonly commitments: readonly Uint8Array[];
}

export interface CeremonyFault {
  readonly code: CeremonyFaultCode;
  /** Participants that the sender holds responsible, ascending. */
  readonly participants: readonly number[];
}

/** Everything that a participant with a record of the attempt needs to end the ceremony. */
export interface CeremonyEnd {
  /** The genesis's signatures, by index. */
  readonly signatures: readonly Uint8Array[];
  /** The signatures of the participants' messages `Confirmation`, by index. */
  readonly confirmations: readonly Uint8Array[];
}

/** State of a participant, synced before it approves, and again before each further step. Secret. */
export interface CeremonyRecord {
  readonly attempt: number;
  /** The genesis without the ceremony's signatures. */
  readonly genesis: Genesis;
  readonly index: number;
  /** The participant's share, big-endian, below the group order. */
  readonly share: Uint8Array;
  /** The participant's message `Complete`, or its first `Hello` of a later attempt, in Borsh; empty before either. */
  readonly vote: Uint8Array;
  /** The signatures of the genesis that the participant confirmed; empty before. */
  readonly confirmed: readonly Uint8Array[];
  /** The signatures of all messages `Confirmation`, by index; empty before the end. */
  readonly confirmations: readonly Uint8Array[];
}

/** The first frame in either direction. */
export interface Hello {
  /** Version of the mesh protocol. */
  readonly version: number;
  readonly chain_id: bigint;
  /** The genesis block's hash; in the ceremony, the hash of its configuration. */
  readonly chain: Uint8Array;
}

export interface Ping {
  readonly nonce: bigint;
}

export interface Pong {
  readonly nonce: bigint;
}

/** The leader's vote and the block voted for. */
export interface Proposal {
  readonly vote: Vote;
  readonly block: EncodedBlock;
}

export interface GetBlock {
  readonly block_hash: Uint8Array;
}

export interface BlockAnswer {
  readonly block_hash: Uint8Array;
  /** Absent if the peer does not have it. */
  readonly block?: EncodedBlock;
}

/** Requests the certificates of a range of views. A peer with none to send answers with a request for views 0 to 0. */
export interface GetCertificates {
  readonly epoch: bigint;
  readonly from_view: bigint;
  /** The last view, inclusive. */
  readonly to_view: bigint;
}

/** Request for final blocks during catch-up. */
export interface GetFinalized {
  readonly from_height: bigint;
  /** Maximum number of blocks. */
  readonly count: number;
}

/** Final blocks in ascending order, as many as fit. */
export interface Finalized {
  readonly from_height: bigint;
  /** At most 256 items. */
  readonly blocks: readonly FinalizedBlock[];
}

export interface FinalizedBlock {
  readonly block: EncodedBlock;
  /** Absent if the block became final through a later one. */
  readonly certificate?: VoteCertificate;
}

/** Pending transactions and bundles, each gossiped once. */
export interface Transactions {
  /** At most 4096 items. */
  readonly items: readonly GossipItem[];
}

/** A bundle; counts as its transactions in all limits. */
export interface GossipedBundle {
  /**
   * borsh(SignedTransaction) of each, in the order of the bundle.
   * At most 1000 items.
   */
  readonly transactions: readonly Uint8Array[];
  /** Height of the last block that may include the bundle. */
  readonly max_height?: bigint;
}

/** One validator's approval of a change of the validator set. */
export interface ChangeApproval {
  readonly epoch: bigint;
  readonly change: ValidatorChange;
  readonly approval: Approval;
}

/** A message of the ceremony in which the first validators generate the group key. */
export interface CeremonyFrame {
  readonly content: Uint8Array;
}

export type VoteKind =
  | { readonly type: 'notarize'; readonly value?: null }
  | { readonly type: 'nullify'; readonly value?: null }
  | { readonly type: 'finalize'; readonly value?: null };

/** An entry of a validator's journal, stored under its epoch and view. */
export type JournalRecord =
  /** The block with this hash, stored beside the entry, is about to be voted for. */
  | { readonly type: 'block'; readonly value: Uint8Array }
  | { readonly type: 'vote'; readonly value: VotedMessage }
  | { readonly type: 'certificate'; readonly value: VoteCertificate };

export type CeremonyBody =
  /**
   * Ready to begin the attempt, and the sender's promise not to complete an earlier one. Holds the message with the fault
   * that ended the previous attempt, in Borsh; empty in attempt 1.
   */
  | { readonly type: 'hello'; readonly value: Uint8Array }
  /** The dealer's commitments, constant first. */
  | { readonly type: 'commitments'; readonly value: readonly Uint8Array[] }
  /** The recipient's evaluation, big-endian, below the group order. Secret, and never relayed. */
  | { readonly type: 'evaluation'; readonly value: Uint8Array }
  /** Dealers whose evaluation is missing or wrong, ascending: the player asks for it in public. */
  | { readonly type: 'response'; readonly value: readonly number[] }
  /** A dealer's answer to the players that asked, ascending by player; the epoch of the context is 0. */
  | { readonly type: 'sealed'; readonly value: readonly SealedShare[] }
  /** A player's proof that a dealer sealed garbage to it. */
  | { readonly type: 'complaint'; readonly value: Complaint }
  | { readonly type: 'approval'; readonly value: CeremonyApproval }
  /** The reason for which a participant ended the attempt; sent inside of a hello. */
  | { readonly type: 'fault'; readonly value: CeremonyFault }
  /** All signatures of the transcript, by index: the attempt is complete, and the sender begins no other. */
  | { readonly type: 'complete'; readonly value: readonly Uint8Array[] }
  /** sha256(borsh(Genesis)) of the genesis with its signatures. The sender confirms no other. */
  | { readonly type: 'confirmation'; readonly value: Uint8Array }
  | { readonly type: 'finished'; readonly value: CeremonyEnd };

export type CeremonyFaultCode =
  /** The participants did not send in time. */
  | { readonly type: 'silent'; readonly value?: null }
  /** The participants signed two different messages. */
  | { readonly type: 'equivocation'; readonly value?: null }
  /** The participants signed a message that breaks the rules. */
  | { readonly type: 'malformed'; readonly value?: null }
  /** The participants sealed garbage to a player. */
  | { readonly type: 'garbage'; readonly value?: null }
  /** The participants complained about a valid sealed share. */
  | { readonly type: 'false_complaint'; readonly value?: null }
  /** The participants' dealings leave one of them, or all together, without a key. */
  | { readonly type: 'no_key'; readonly value?: null }
  /** The participants approved another transcript. */
  | { readonly type: 'dissent'; readonly value?: null }
  /** The accuser itself restarted. */
  | { readonly type: 'restarted'; readonly value?: null };

export type GossipItem =
  /** borsh(SignedTransaction) */
  | { readonly type: 'transaction'; readonly value: Uint8Array }
  /** borsh(SignedEnvelope) */
  | { readonly type: 'sealed'; readonly value: Uint8Array }
  | { readonly type: 'bundle'; readonly value: GossipedBundle };

/** Every struct and enum by its name. */
export interface MeshTypes {
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
  readonly Vote: Vote;
  readonly VoteCertificate: VoteCertificate;
  readonly VotedMessage: VotedMessage;
  readonly VoteEvidence: VoteEvidence;
  readonly EncodedBlock: EncodedBlock;
  readonly SealShare: SealShare;
  readonly DealtShare: DealtShare;
  readonly DealtAck: DealtAck;
  readonly ResharingRecord: ResharingRecord;
  readonly OwnDealing: OwnDealing;
  readonly ReceivedShare: ReceivedShare;
  readonly CeremonyConfiguration: CeremonyConfiguration;
  readonly CeremonyMessage: CeremonyMessage;
  readonly CeremonyApproval: CeremonyApproval;
  readonly CeremonyFault: CeremonyFault;
  readonly CeremonyEnd: CeremonyEnd;
  readonly CeremonyRecord: CeremonyRecord;
  readonly Hello: Hello;
  readonly Ping: Ping;
  readonly Pong: Pong;
  readonly Proposal: Proposal;
  readonly GetBlock: GetBlock;
  readonly BlockAnswer: BlockAnswer;
  readonly GetCertificates: GetCertificates;
  readonly GetFinalized: GetFinalized;
  readonly Finalized: Finalized;
  readonly FinalizedBlock: FinalizedBlock;
  readonly Transactions: Transactions;
  readonly GossipedBundle: GossipedBundle;
  readonly ChangeApproval: ChangeApproval;
  readonly CeremonyFrame: CeremonyFrame;
  readonly Action: Action;
  readonly VmType: VmType;
  readonly UpgradePolicy: UpgradePolicy;
  readonly Signature: Signature;
  readonly BlockItem: BlockItem;
  readonly Outcome: Outcome;
  readonly ValidatorChange: ValidatorChange;
  readonly DevChange: DevChange;
  readonly VoteKind: VoteKind;
  readonly JournalRecord: JournalRecord;
  readonly CeremonyBody: CeremonyBody;
  readonly CeremonyFaultCode: CeremonyFaultCode;
  readonly GossipItem: GossipItem;
}

/** Everything that the IDL declares. */
export const meshManifest: $Manifest = {
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
    {
      name: "Vote",
      doc: "One validator's vote. The bytes signed are \"heddle/\" ‖ kind ‖ \"/1\" ‖ u64le chain_id ‖ u64le epoch ‖ u64le view, and, except\nfor nullify, ‖ u64le parent_view ‖ block_hash.",
      fields: [
        { name: "kind", type: "VoteKind" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "parent_view", doc: "0 for nullify.", type: "u64" },
        { name: "block_hash", doc: "32 zero bytes for nullify.", type: "hash" },
        { name: "signer", doc: "Index in the epoch's validator set.", type: "u32" },
        { name: "partial", doc: "BLS signature of the message under the signer's share.", type: "bytes96" },
        { name: "signature", doc: "ed25519 signature of \"heddle/vote/1\" ‖ message under the signer's identity key.", type: "bytes64" },
      ],
    },
    {
      name: "VoteCertificate",
      doc: "A quorum of votes for one message: a notarization, nullification or finalization.",
      fields: [
        { name: "kind", type: "VoteKind" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "parent_view", type: "u64" },
        { name: "block_hash", type: "hash" },
        { name: "signature", doc: "BLS signature of the message under the group key.", type: "bytes96" },
      ],
    },
    {
      name: "VotedMessage",
      doc: "Subject of a vote.",
      fields: [
        { name: "kind", type: "VoteKind" },
        { name: "epoch", type: "u64" },
        { name: "view", type: "u64" },
        { name: "parent_view", type: "u64" },
        { name: "block_hash", type: "hash" },
      ],
    },
    {
      name: "VoteEvidence",
      doc: "Two conflicting votes of one signer; an honest validator casts at most one of them.",
      fields: [
        { name: "first", type: "Vote" },
        { name: "second", type: "Vote" },
      ],
    },
    {
      name: "EncodedBlock",
      doc: "Wire form of a block: borsh(BlockHeader) and borsh(BlockBody).",
      fields: [
        { name: "header", type: "bytes" },
        { name: "body", type: "bytes" },
      ],
    },
    {
      name: "SealShare",
      doc: "A validator's partial key for a height with sealed transactions.",
      fields: [
        { name: "epoch", doc: "Epoch of the share that signs.", type: "u64" },
        { name: "height", type: "u64" },
        { name: "signer", type: "u32" },
        { name: "partial", doc: "BLS signature of \"heddle/seal/1\" ‖ u64le chain_id ‖ u64le height under the signer's share.", type: "bytes96" },
      ],
    },
    {
      name: "DealtShare",
      doc: "A dealer's message to one player during resharing: the dealer's commitments and the player's evaluation. Secret.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "commitments", type: { list: "bytes48" } },
        { name: "share", doc: "Big-endian, below the group order.", type: "bytes32" },
      ],
    },
    {
      name: "DealtAck",
      doc: "A player's acknowledgement of a dealt share, sent back to the dealer.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "dealer", type: "u32" },
        { name: "ack", type: "Ack" },
      ],
    },
    {
      name: "ResharingRecord",
      fields: [
        { name: "epoch", doc: "Epoch of the dealing.", type: "u64" },
        { name: "own", doc: "Absent if the validator has no share to deal.", type: "OwnDealing", optional: true },
        { name: "received", doc: "Evaluations of acknowledged dealings, and those that were sealed to this validator, ascending by dealer.", type: { list: "ReceivedShare" } },
      ],
    },
    {
      name: "OwnDealing",
      doc: "Secrets of a validator's own dealing.",
      fields: [
        { name: "polynomial", doc: "Coefficients of the polynomial, constant first, big-endian.", type: { list: "bytes32" } },
        { name: "seed", doc: "The scalars of sealed shares derive from it, so that a restarted dealer seals the same.", type: "bytes32" },
        { name: "encryption_key", doc: "The dealing's encryption key; its private half is in the file of encryption keys.", type: "bytes48" },
      ],
    },
    {
      name: "ReceivedShare",
      fields: [
        { name: "dealer", type: "u32" },
        { name: "commitments_digest", doc: "sha256(borsh(commitments)).", type: "hash" },
        { name: "share", doc: "Big-endian, below the group order.", type: "bytes32" },
      ],
    },
    {
      name: "CeremonyConfiguration",
      doc: "Configuration agreed on by all participants; messages carry sha256 of its Borsh encoding.",
      fields: [
        { name: "chain_id", type: "u64" },
        { name: "timestamp_ms", type: "u64" },
        { name: "gas_limit", type: "u64" },
        { name: "base_fee", type: "u128" },
        { name: "extra", type: "bytes", optional: true },
        { name: "accounts", type: { list: "GenesisAccount" } },
        { name: "epoch_length", type: "u64", optional: true },
        { name: "validators", doc: "The participants in the order of their indices.", type: { list: "NewValidator" } },
      ],
    },
    {
      name: "CeremonyMessage",
      doc: "One message of a participant.",
      fields: [
        { name: "configuration", doc: "sha256(borsh(CeremonyConfiguration)).", type: "hash" },
        { name: "attempt", doc: "Number of the attempt, from 1. Attempts share no data.", type: "u32" },
        { name: "sender", type: "u32" },
        { name: "body", type: "CeremonyBody" },
        { name: "signature", doc: "ed25519 of \"heddle/ceremony-message/1\" ‖ configuration ‖ u32le attempt ‖ u32le sender ‖ the body's variant byte\n‖ sha256(borsh(body)).", type: "bytes64" },
      ],
    },
    {
      name: "CeremonyApproval",
      doc: "A participant's signature of the result.",
      fields: [
        { name: "transcript", doc: "sha256(borsh(Genesis)) of the genesis without the ceremony's signatures.", type: "hash" },
        { name: "signature", doc: "ed25519 of \"heddle/ceremony/1\" ‖ transcript.", type: "bytes64" },
        { name: "commitments", doc: "sha256(borsh(body)) of each participant's commitments, by index.", type: { list: "hash" } },
      ],
    },
    {
      name: "CeremonyFault",
      fields: [
        { name: "code", type: "CeremonyFaultCode" },
        { name: "participants", doc: "Participants that the sender holds responsible, ascending.", type: { list: "u32" } },
      ],
    },
    {
      name: "CeremonyEnd",
      doc: "Everything that a participant with a record of the attempt needs to end the ceremony.",
      fields: [
        { name: "signatures", doc: "The genesis's signatures, by index.", type: { list: "bytes64" } },
        { name: "confirmations", doc: "The signatures of the participants' messages `Confirmation`, by index.", type: { list: "bytes64" } },
      ],
    },
    {
      name: "CeremonyRecord",
      doc: "State of a participant, synced before it approves, and again before each further step. Secret.",
      fields: [
        { name: "attempt", type: "u32" },
        { name: "genesis", doc: "The genesis without the ceremony's signatures.", type: "Genesis" },
        { name: "index", type: "u32" },
        { name: "share", doc: "The participant's share, big-endian, below the group order.", type: "bytes32" },
        { name: "vote", doc: "The participant's message `Complete`, or its first `Hello` of a later attempt, in Borsh; empty before either.", type: "bytes" },
        { name: "confirmed", doc: "The signatures of the genesis that the participant confirmed; empty before.", type: { list: "bytes64" } },
        { name: "confirmations", doc: "The signatures of all messages `Confirmation`, by index; empty before the end.", type: { list: "bytes64" } },
      ],
    },
    {
      name: "Hello",
      doc: "The first frame in either direction.",
      fields: [
        { name: "version", doc: "Version of the mesh protocol.", type: "u32" },
        { name: "chain_id", type: "u64" },
        { name: "chain", doc: "The genesis block's hash; in the ceremony, the hash of its configuration.", type: "hash" },
      ],
    },
    {
      name: "Ping",
      fields: [
        { name: "nonce", type: "u64" },
      ],
    },
    {
      name: "Pong",
      fields: [
        { name: "nonce", type: "u64" },
      ],
    },
    {
      name: "Proposal",
      doc: "The leader's vote and the block voted for.",
      fields: [
        { name: "vote", type: "Vote" },
        { name: "block", type: "EncodedBlock" },
      ],
    },
    {
      name: "GetBlock",
      fields: [
        { name: "block_hash", type: "hash" },
      ],
    },
    {
      name: "BlockAnswer",
      fields: [
        { name: "block_hash", type: "hash" },
        { name: "block", doc: "Absent if the peer does not have it.", type: "EncodedBlock", optional: true },
      ],
    },
    {
      name: "GetCertificates",
      doc: "Requests the certificates of a range of views. A peer with none to send answers with a request for views 0 to 0.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "from_view", type: "u64" },
        { name: "to_view", doc: "The last view, inclusive.", type: "u64" },
      ],
    },
    {
      name: "GetFinalized",
      doc: "Request for final blocks during catch-up.",
      fields: [
        { name: "from_height", type: "u64" },
        { name: "count", doc: "Maximum number of blocks.", type: "u32" },
      ],
    },
    {
      name: "Finalized",
      doc: "Final blocks in ascending order, as many as fit.",
      fields: [
        { name: "from_height", type: "u64" },
        { name: "blocks", type: { list: "FinalizedBlock" }, max: 256 },
      ],
    },
    {
      name: "FinalizedBlock",
      fields: [
        { name: "block", type: "EncodedBlock" },
        { name: "certificate", doc: "Absent if the block became final through a later one.", type: "VoteCertificate", optional: true },
      ],
    },
    {
      name: "Transactions",
      doc: "Pending transactions and bundles, each gossiped once.",
      fields: [
        { name: "items", type: { list: "GossipItem" }, max: 4096 },
      ],
    },
    {
      name: "GossipedBundle",
      doc: "A bundle; counts as its transactions in all limits.",
      fields: [
        { name: "transactions", doc: "borsh(SignedTransaction) of each, in the order of the bundle.", type: { list: "bytes" }, max: 1000 },
        { name: "max_height", doc: "Height of the last block that may include the bundle.", type: "u64", optional: true },
      ],
    },
    {
      name: "ChangeApproval",
      doc: "One validator's approval of a change of the validator set.",
      fields: [
        { name: "epoch", type: "u64" },
        { name: "change", type: "ValidatorChange" },
        { name: "approval", type: "Approval" },
      ],
    },
    {
      name: "CeremonyFrame",
      doc: "A message of the ceremony in which the first validators generate the group key.",
      fields: [
        { name: "content", type: "bytes" },
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
    {
      name: "VoteKind",
      variants: [
        { name: "Notarize", tag: "notarize" },
        { name: "Nullify", tag: "nullify" },
        { name: "Finalize", tag: "finalize" },
      ],
    },
    {
      name: "JournalRecord",
      doc: "An entry of a validator's journal, stored under its epoch and view.",
      variants: [
        { name: "Block", tag: "block", doc: "The block with this hash, stored beside the entry, is about to be voted for.", payload: "hash" },
        { name: "Vote", tag: "vote", payload: "VotedMessage" },
        { name: "Certificate", tag: "certificate", payload: "VoteCertificate" },
      ],
    },
    {
      name: "CeremonyBody",
      variants: [
        { name: "Hello", tag: "hello", doc: "Ready to begin the attempt, and the sender's promise not to complete an earlier one. Holds the message with the fault\nthat ended the previous attempt, in Borsh; empty in attempt 1.", payload: "bytes" },
        { name: "Commitments", tag: "commitments", doc: "The dealer's commitments, constant first.", payload: { list: "bytes48" } },
        { name: "Evaluation", tag: "evaluation", doc: "The recipient's evaluation, big-endian, below the group order. Secret, and never relayed.", payload: "bytes32" },
        { name: "Response", tag: "response", doc: "Dealers whose evaluation is missing or wrong, ascending: the player asks for it in public.", payload: { list: "u32" } },
        { name: "Sealed", tag: "sealed", doc: "A dealer's answer to the players that asked, ascending by player; the epoch of the context is 0.", payload: { list: "SealedShare" } },
        { name: "Complaint", tag: "complaint", doc: "A player's proof that a dealer sealed garbage to it.", payload: "Complaint" },
        { name: "Approval", tag: "approval", payload: "CeremonyApproval" },
        { name: "Fault", tag: "fault", doc: "The reason for which a participant ended the attempt; sent inside of a hello.", payload: "CeremonyFault" },
        { name: "Complete", tag: "complete", doc: "All signatures of the transcript, by index: the attempt is complete, and the sender begins no other.", payload: { list: "bytes64" } },
        { name: "Confirmation", tag: "confirmation", doc: "sha256(borsh(Genesis)) of the genesis with its signatures. The sender confirms no other.", payload: "hash" },
        { name: "Finished", tag: "finished", payload: "CeremonyEnd" },
      ],
    },
    {
      name: "CeremonyFaultCode",
      variants: [
        { name: "Silent", tag: "silent", doc: "The participants did not send in time." },
        { name: "Equivocation", tag: "equivocation", doc: "The participants signed two different messages." },
        { name: "Malformed", tag: "malformed", doc: "The participants signed a message that breaks the rules." },
        { name: "Garbage", tag: "garbage", doc: "The participants sealed garbage to a player." },
        { name: "FalseComplaint", tag: "false_complaint", doc: "The participants complained about a valid sealed share." },
        { name: "NoKey", tag: "no_key", doc: "The participants' dealings leave one of them, or all together, without a key." },
        { name: "Dissent", tag: "dissent", doc: "The participants approved another transcript." },
        { name: "Restarted", tag: "restarted", doc: "The accuser itself restarted." },
      ],
    },
    {
      name: "GossipItem",
      variants: [
        { name: "Transaction", tag: "transaction", doc: "borsh(SignedTransaction)", payload: "bytes" },
        { name: "Sealed", tag: "sealed", doc: "borsh(SignedEnvelope)", payload: "bytes" },
        { name: "Bundle", tag: "bundle", payload: "GossipedBundle" },
      ],
    },
  ],
  aliases: [],
};
