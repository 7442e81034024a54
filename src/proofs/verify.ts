/**
 * `heddle/verify`: verifies a node's answers without trusting it. Pure, small and independent of Node: it also runs in
 * browsers, under policies that forbid generated code.
 *
 * The only trusted input is a {@link TrustAnchor}: the validators' group key, the genesis, or the hash of one block.
 * All other input is API answers as parsed by JSON.parse, and is verified; a {@link VerifyError} names the failed
 * check.
 */
export type { AccountRecord, BlockHeader, LedgerReceipt, ValidatorSet } from '../generated/ledger.js';
export type { FinalityCertificate, HistoryRoot, SubtreeProof, TreeProof } from '../generated/node-rpc-v1.js';
export { listRoot, verifyListPath } from './list-root.js';
export { mmrRoot, mmrSize, verifyMmrInclusion } from './mmr.js';
export { rootOfSubtreeProof, subtreeRoot } from './snapshot/subtree.js';
export { type VerifiedBlock, verifyCertificate, verifyFinality, verifyHeader } from './verify/certificate.js';
export { finalizeMessage } from './verify/certificate-message.js';
export { type FinalityOf, MAX_DESCENDANTS } from './verify/descendants.js';
export { headerHash, portableHashes } from './verify/header-hash.js';
export { verifyTreeProof } from './verify/tree-proof.js';
export type { Bytes, TrustAnchor } from './verify/trust-anchor.js';
export { VerifyError, type VerifyErrorCode } from './verify/verify-error.js';
export {
  type VerifiedContext,
  type VerifiedHistory,
  verifyBlockInHistory,
  verifyHistoryRoot,
  verifyLightClientContext,
} from './verify/verify-history.js';
export {
  type FinalityAnswers,
  type ProvedSubject,
  type VerifiedTransaction,
  verifyTransactionIncluded,
} from './verify/verify-inclusion.js';
export {
  snapshotChunkHash,
  type VerifiedSnapshot,
  verifyLightSnapshot,
  verifySnapshotChunk,
} from './verify/verify-snapshot.js';
export { type VerifiedAccount, type VerifiedSlot, verifyAccount, verifySlot } from './verify/verify-state.js';
