import type { NativeChoice } from '../../config/native-mode.js';
import type { Crypto, ThresholdBls } from '../../crypto/crypto.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { prepareChunk } from '../../proofs/snapshot/prepare-chunk.js';
import type { StoreReader } from '../../storage/store.js';
import { executeBlock, executeOpenings } from '../block-tasks.js';
import { branchState, type DecodedWrites } from '../branch-state.js';
import type { AnsweredCall, CallGroup } from '../calls/worker-call.js';
import type { ContractMachine } from '../contract-machine.js';
import { openEnvelopes } from '../open-envelopes.js';
import type { DecodedOverlay } from '../parallel/block-overlay.js';
import { predict } from '../parallel/predict.js';
import { speculate } from '../parallel/speculate.js';
import type { SharedWrites } from '../pending-writes.js';
import type { TaskInput, TaskKind, TaskResult } from '../pool/execution-tasks.js';
import { verifySignatures } from '../signature-batch.js';
import { CommittedState, type StateSource } from '../state-source.js';

export interface WorkerContext {
  readonly crypto: Crypto;
  /** BLS signatures, loaded at their first use, with the implementation chosen. */
  readonly bls: () => Promise<{ readonly bls: ThresholdBls; readonly choice: NativeChoice }>;
  /** The store, attached at its first use. */
  readonly store: () => StoreReader;
  /** The interfaces of contracts, created at their first use. */
  readonly interfaces: () => ContractInterfaces;
  /** The contract machine, created at its first use. */
  readonly machine: () => Promise<ContractMachine>;
  readonly pending: DecodedWrites;
  readonly overlay: DecodedOverlay;
  /** Answers calls, or reads in a worker that runs no calls; loads what that needs at its first use. */
  readonly groups: () => Promise<(group: CallGroup) => readonly AnsweredCall[]>;
}

type TaskHandlers = {
  readonly [K in TaskKind]: (
    input: TaskInput<K>,
    context: WorkerContext,
  ) => TaskResult<K> | Promise<TaskResult<K>>;
};

/** The handler of each kind of task. A kind without a handler does not compile. */
export const TASK_HANDLERS: TaskHandlers = {
  verify_signatures: (batch, { crypto }) => verifySignatures(batch, crypto),
  execute_block: async (input, context) =>
    executeBlock(input, stateAfter(input.branch, context), context.crypto, await context.machine()),
  execute_openings: async (input, context) =>
    executeOpenings(input, stateAfter(input.branch, context), context.crypto, await context.machine()),
  speculate: async (input, context) =>
    speculate(input, {
      source: stateAfter(input.branch, context),
      machine: await context.machine(),
      overlay: context.overlay,
    }),
  predict: async (input, { crypto, store, machine }) =>
    predict(input, { source: new CommittedState(store(), crypto), machine: await machine() }),
  calls: async (group, { groups }) => (await groups())(group),
  sign_bls: async ({ privateKey, messages }, { bls }) => {
    const { bls: signer, choice } = await bls();
    return { signatures: messages.map((message) => signer.sign(message, privateKey)), choice };
  },
  verify_bls: async ({ publicKey, signed }, { bls }) => {
    const { bls: verifier } = await bls();
    return signed.map(({ message, signature }) => verifier.verify(signature, message, publicKey));
  },
  open_envelopes: async ({ key, envelopes }, { bls }) => {
    const { sealOpener } = await import('../../crypto/sealing/open.js');
    return openEnvelopes(sealOpener(key, (await bls()).bls), envelopes);
  },
  check_points: async (points, { bls }) => {
    const { bls: checker } = await bls();
    return points.map((point) => checker.isPublicKey(point));
  },
  check_dealing: async ({ dealing, context }, { crypto, bls }) => {
    const { checkDealing } = await import('../../ledger/validators/check-dealing-points.js');
    return checkDealing({ crypto, bls: (await bls()).bls }, dealing, context);
  },
  check_complaint: async (disputed, { crypto, bls }) => {
    const { checkComplaint } = await import('../../ledger/validators/check-complaint-points.js');
    return checkComplaint({ crypto, bls: (await bls()).bls }, disputed);
  },
  seal_shares: async (input, { crypto, bls }) => {
    const { sealShares } = await import('../../ledger/validators/sealed-shares.js');
    return sealShares({ crypto, bls: (await bls()).bls }, input);
  },
  open_share: async (input, { crypto, bls }) => {
    const { openShare } = await import('../../ledger/validators/sealed-shares.js');
    return openShare({ crypto, bls: (await bls()).bls }, input);
  },
  check_evaluation: async (dealt, { bls }) => {
    const { checkEvaluation } = await import('../../ledger/validators/check-evaluation.js');
    return checkEvaluation((await bls()).bls, dealt);
  },
  next_set: async ({ present, members, dealings }) => {
    const { nextSet } = await import('../../ledger/validators/next-set.js');
    return nextSet(present, members, dealings);
  },
  check_chunk: ({ chunk, target }, { crypto }) => prepareChunk(crypto, chunk, target),
};

/** Returns the state after a branch, or after the last committed block. */
function stateAfter(
  branch: readonly SharedWrites[] = [],
  { crypto, store, pending }: WorkerContext,
): StateSource {
  return branchState(new CommittedState(store(), crypto), crypto, pending.of(branch));
}
