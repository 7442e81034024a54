// The codecs of the project's own types that the project uses; codecs of their parts are generated with them. Code that
// uses any other does not type-check until the type's name stands here and `npm run generate` has run;
// test/structure/generated-codecs.test.ts names what nothing uses.
import type { CodecSelection } from '../generators/codecs/codec-functions.js';

/** Of ledger.idl, beside those that the codecs of other IDL files call. */
export const LEDGER: CodecSelection = {
  readBorsh: [
    ...['BlockBody', 'BlockHeader', 'ConsensusParameters', 'DealingOrder', 'DevChanges'],
    ...['EncryptionKeys', 'Genesis', 'LedgerReceipt', 'OpeningSchedule', 'PendingEnvelope'],
  ],
  writeBorsh: [
    ...['BlockHeader', 'BlockItem', 'ConsensusParameters', 'DealingOrder', 'DevChanges'],
    ...['EncryptionKeys', 'Genesis', 'LedgerReceipt', 'OpeningSchedule', 'PendingEnvelope'],
  ],
  readJson: ['Genesis', 'ValidatorChange'],
};

/** Of node_rpc_v1.idl, beside the JSON of methods. */
export const NODE_RPC_V1: CodecSelection = {
  readBorsh: ['FinalityProofResult', 'GetLightSnapshotResult', 'ImportSnapshotChunkArgs'],
  writeBorsh: ['FinalityProofResult', 'GetLightSnapshotResult', 'ImportSnapshotChunkArgs'],
};

const MESSAGES = [
  ...['BlockAnswer', 'CeremonyFrame', 'CeremonyMessage', 'CeremonyRecord', 'ChangeApproval'],
  ...['Dealing', 'DealtAck', 'DealtShare', 'Finalized', 'GetBlock', 'GetCertificates'],
  ...['GetFinalized', 'Hello', 'JournalRecord', 'Ping', 'Pong', 'Proposal', 'ResharingRecord'],
  ...['SealShare', 'Transactions', 'VoteEvidence'],
];

export const MESH: CodecSelection = {
  readBorsh: MESSAGES,
  writeBorsh: [...MESSAGES, 'CeremonyConfiguration'],
  readJson: ['CeremonyConfiguration'],
  writeJson: ['CeremonyConfiguration'],
};

/** Of dev_v1.idl: only the JSON of methods. */
export const DEV_V1: CodecSelection = {};

/** The API and ledger types that `heddle/verify` reads and hashes, in a module of their own. */
export const VERIFY: CodecSelection = {
  readBorsh: ['AccountRecord', 'LedgerReceipt'],
  writeBorsh: ['BlockHeader', 'ValidatorSet'],
  readJson: [
    ...['BlockHeader', 'CheckpointDescriptor', 'FinalityCertificate'],
    ...['FinalizedHistoryProofResult', 'GetSnapshotChunkResult', 'HistoryRoot', 'InclusionProof'],
    ...['TreeProof', 'ValidatorSet'],
  ],
};
