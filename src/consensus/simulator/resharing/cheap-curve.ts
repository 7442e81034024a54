/**
 * Resharing's curve arithmetic with scalars in place of points: x stands for x·G1, so that every secret can be checked
 * exactly, at the cost of a few multiplications. Everything else is as with points: scalars, Lagrange coefficients,
 * sealed shares by Diffie and Hellman with proofs by Schnorr, and complaints that publish the shared point. What a dealer
 * knows is up to its actor: no actor uses the scalar of a point that it did not make.
 */
import { sameBytes } from '../../../base/same-bytes.js';
import { evaluationFor } from '../../../crypto/dkg/polynomial.js';
import type { SealingProof, SealingStatement } from '../../../crypto/dkg/sealing-proof.js';
import { weightsAtZero } from '../../../crypto/scalars/lagrange.js';
import {
  decodeEvaluation,
  decodeScalar,
  encodeScalar,
  expectEvaluation,
  expectScalar,
  modOrder,
  reduceToScalar,
  weightedSum,
} from '../../../crypto/scalars/scalars.js';
import { sha256 } from '../../../crypto/sha256.js';
import type { PointTasks } from '../../../execution/open-envelopes.js';
import type { ValidatorTasks } from '../../../execution/validator-tasks.js';
import type { Dealing, SealedShare } from '../../../generated/ledger.js';
import type { DealingContext } from '../../../ledger/validators/check-dealing.js';
import { checkCommitments, checkDealing } from '../../../ledger/validators/check-dealing-points.js';
import { quorumOf } from '../../../ledger/validators/quorum.js';
import { refusal, type ValidatorRefusal } from '../../../ledger/validators/refusal.js';
import { RESHARING_CRYPTO } from './sim-identities.js';

/** The tasks that need the curve: those of validators, and the check of points. */
export type CurveTasks = ValidatorTasks & PointTasks;

/** Begins each encoded point, which is 48 bytes long. */
const TAG = new Uint8Array(16).fill(0xa5);

export function pointOf(scalar: bigint): Uint8Array {
  const point = new Uint8Array(TAG.length + 32);
  point.set(TAG);
  point.set(encodeScalar(scalar), TAG.length);
  return point;
}

/** The scalar of a point; undefined for malformed bytes and for infinity. */
export function scalarOf(point: Uint8Array): bigint | undefined {
  if (point.length !== TAG.length + 32) return undefined;
  for (let at = 0; at < TAG.length; at++) if (point[at] !== TAG[at]) return undefined;
  return decodeScalar(point.subarray(TAG.length));
}

export const CHEAP_BLS = {
  publicKey: (privateKey: Uint8Array) => pointOf(expectScalar(privateKey)),
  isPublicKey: (bytes: Uint8Array) => scalarOf(bytes) !== undefined,
};

/** Encrypts an evaluation with the ephemeral scalar r. */
export function sealTo(
  encryptionKey: Uint8Array,
  r: bigint,
  context: MaskContext,
  evaluation: Uint8Array,
): SealedShare {
  const ephemeral = pointOf(r);
  const share = masked(evaluation, context, ephemeral, sharedPoint(encryptionKey, r));
  const { player } = context;
  return { player, ...proveSealing({ context, encryptionKey, ephemeral, share }, r) };
}

/** A sealed share with the proof that its dealer knows a scalar, which holds only for that of the ephemeral point. */
export function proveSealing(statement: CheapStatement, r: bigint): Omit<SealedShare, 'player'> {
  const { ephemeral, share } = statement;
  const k = reduceToScalar(sha256(Buffer.concat([encodeScalar(r), statement.encryptionKey, share])));
  const challenge = sealingChallenge(statement, pointOf(k));
  const response = encodeScalar(modOrder(k + challenge * r));
  return { ephemeral, share, challenge: encodeScalar(challenge), response };
}

/** What such a proof is about. */
type CheapStatement = Omit<SealingStatement, 'context'> & { readonly context: MaskContext };

/** Whether the dealers of sealed shares know their scalars. */
function areCheapProofs(_: unknown, proofs: readonly (SealingStatement & SealingProof)[]): boolean[] {
  return proofs.map((proof) => {
    const challenge = decodeEvaluation(proof.challenge);
    const response = decodeEvaluation(proof.response);
    if (challenge === undefined || response === undefined) return false;
    const k = modOrder(response - challenge * scalarIn(proof.ephemeral));
    return k !== 0n && sealingChallenge(proof, pointOf(k)) === challenge;
  });
}

function sealingChallenge(
  { context, encryptionKey, ephemeral, share }: CheapStatement,
  commitment: Uint8Array,
): bigint {
  const parts = [encodeMaskContext(context), encryptionKey, ephemeral, share, commitment];
  return reduceToScalar(sha256(Buffer.concat(parts)));
}

/** Decrypts a sealed share with a private key: 32 bytes of any content. */
export function unsealed(privateKey: bigint, sealed: SealedShare, context: MaskContext): Uint8Array {
  return masked(sealed.share, context, sealed.ephemeral, sharedPoint(sealed.ephemeral, privateKey));
}

/** Whether 32 bytes are the committed polynomial's evaluation for a player. */
export function isEvaluation(commitments: readonly Uint8Array[], player: number, share: Uint8Array): boolean {
  const value = decodeEvaluation(share);
  return value !== undefined && value === evaluationFor(commitments.map(scalarIn), player);
}

/** The dealing and the player that a sealed share is for. */
export interface MaskContext {
  readonly epoch: bigint;
  readonly dealer: number;
  readonly player: number;
}

/** Results of checks, because all validators check the same objects. */
const CHECKED = new WeakMap<
  Dealing,
  { readonly context: DealingContext; readonly refused: ValidatorRefusal | undefined }
>();

/** Whether two contexts are of the same set, and name the same players. */
function isSameContext(one: DealingContext, other: DealingContext): boolean {
  return (
    one.epoch === other.epoch &&
    one.currentSet === other.currentSet &&
    one.nextPlayers.length === other.nextPlayers.length &&
    one.nextPlayers.every(({ identity_key, encryption_key }, at) => {
      const player = other.nextPlayers[at];
      return player?.identity_key === identity_key && player.encryption_key === encryption_key;
    })
  );
}

type Handlers = {
  readonly [K in keyof CurveTasks]: (input: CurveTasks[K]['input']) => CurveTasks[K]['result'];
};

/** The work of each task, done at once. */
export const CURVE_TASKS: Handlers = {
  check_points: (points) => points.map((point) => CHEAP_BLS.isPublicKey(point)),
  check_dealing: ({ dealing, context }) => {
    const known = CHECKED.get(dealing);
    if (known !== undefined && isSameContext(known.context, context)) return known.refused;
    const parts = { crypto: RESHARING_CRYPTO, bls: CHEAP_BLS };
    const refused = checkDealing(parts, dealing, context, areCheapProofs);
    CHECKED.set(dealing, { context, refused });
    return refused;
  },
  check_complaint: ({ complaint, commitments, sealed, encryptionKey }) => {
    const { player, dealer, shared } = complaint;
    const key = scalarOf(encryptionKey);
    const isProof =
      key !== undefined &&
      sameBytes(shared, sharedPoint(sealed.ephemeral, key)) &&
      sameBytes(complaint.challenge, challengeOf(encryptionKey, sealed, shared, complaint.response));
    if (!isProof) return refusal('proof', `player ${player} does not prove the decryption key of its share`);
    const share = masked(sealed.share, complaint, sealed.ephemeral, shared);
    return isEvaluation(commitments, player, share)
      ? refusal('unfounded', `dealer ${dealer} sealed a good share to player ${player}`)
      : undefined;
  },
  seal_shares: ({ epoch, dealer, seed, shares }) =>
    shares.map(({ player, encryptionKey, evaluation }) => {
      const r = reduceToScalar(sha256(Buffer.concat([seed, Uint8Array.of(player)])));
      const content = encodeScalar(expectEvaluation(evaluation));
      return sealTo(encryptionKey, r, { epoch, dealer, player }, content);
    }),
  open_share: ({ epoch, dealer, commitments, sealed, privateKeys, encryptionKey, nonce }) => {
    const { player } = sealed;
    const context = { epoch, dealer, player };
    for (const key of privateKeys) {
      const share = unsealed(expectScalar(key), sealed, context);
      if (isEvaluation(commitments, player, share)) return { type: 'good', share };
    }
    const own = privateKeys.find((key) => sameBytes(CHEAP_BLS.publicKey(key), encryptionKey));
    if (own === undefined) return { type: 'garbage', complaint: undefined };
    return { type: 'garbage', complaint: { ...context, ...proofOf(own, sealed, nonce.subarray(0, 32)) } };
  },
  check_evaluation: ({ commitments, player, share }) => {
    if (decodeScalar(share) === undefined) return refusal('evaluation', 'not a field element');
    const wrong = checkCommitments(CHEAP_BLS, commitments);
    if (wrong !== undefined) return wrong;
    return isEvaluation(commitments, player, share)
      ? undefined
      : refusal('evaluation', 'it does not match the commitments');
  },
  next_set: ({ present, members, dealings }) => {
    const epoch = present.epoch + 1n;
    const used = dealings.slice(0, present.quorum);
    if (used.length < present.quorum) return { set: { ...present, epoch }, reshared: false };
    const weights = weightsAtZero(used.map(({ dealer }) => dealer));
    const rows = used.map(({ commitments }) => commitments.map(scalarIn));
    const [first = []] = rows;
    const combined = first.map((_, at) =>
      weightedSum(
        rows.map((row) => row[at] ?? 0n),
        weights,
      ),
    );
    const validators = members.map(({ address, identity_key }, index) => ({
      index,
      address,
      identity_key,
      share_public_key: pointOf(evaluationFor(combined, index)),
    }));
    const { group_public_key } = present;
    return {
      set: { epoch, quorum: quorumOf(members.length), group_public_key, validators },
      reshared: true,
    };
  },
};

/** The proof that a published point decrypts a sealed share. */
export function proofOf(privateKey: Uint8Array, sealed: SealedShare, response: Uint8Array) {
  const shared = sharedPoint(sealed.ephemeral, expectScalar(privateKey));
  const challenge = challengeOf(CHEAP_BLS.publicKey(privateKey), sealed, shared, response);
  return { shared, challenge, response };
}

function challengeOf(
  encryptionKey: Uint8Array,
  { ephemeral }: SealedShare,
  shared: Uint8Array,
  response: Uint8Array,
): Uint8Array {
  return sha256(Buffer.concat([encryptionKey, ephemeral, shared, response]));
}

/** The point that two sides share, from a point of one and the scalar of the other. */
export function sharedPoint(point: Uint8Array, secret: bigint): Uint8Array {
  return pointOf(modOrder(scalarIn(point) * secret));
}

function masked(
  bytes: Uint8Array,
  context: MaskContext,
  ephemeral: Uint8Array,
  shared: Uint8Array,
): Uint8Array {
  const mask = sha256(Buffer.concat([encodeMaskContext(context), ephemeral, shared]));
  return bytes.map((byte, at) => byte ^ (mask[at] ?? 0));
}

function encodeMaskContext({ epoch, dealer, player }: MaskContext): Uint8Array {
  return new TextEncoder().encode(`${epoch}/${dealer}/${player}`);
}

function scalarIn(point: Uint8Array): bigint {
  const value = scalarOf(point);
  if (value === undefined) throw new RangeError('arithmetic with a point that was not checked');
  return value;
}
