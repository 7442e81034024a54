import type { OpenFailure, OpenResult, SealOpener } from '../crypto/sealing/open.js';
import type { SealedParts } from '../crypto/sealing/scheme.js';
import { BorshError } from '../idl/codecs/codec-errors.js';
import { ledger } from '../ledger/codecs.js';
import type { TaskOf } from './task-runner.js';

export interface EnvelopesToOpen {
  /** The height's key: the group's signature of its `sealIdentity`, 96 bytes, already verified. */
  readonly key: Uint8Array;
  readonly envelopes: readonly EnvelopeToOpen[];
}

export interface EnvelopeToOpen extends SealedParts {
  /** borsh(SealedHeader). */
  readonly header: Uint8Array;
}

/** A decodable borsh(Action), or the reason for its absence; deterministic across implementations. */
export type OpenedEnvelope =
  | { readonly action: Uint8Array }
  /** `no_action`: the content is not exactly one Action. */
  | { readonly refused: OpenFailure | 'no_action' };

export interface PointTasks {
  /** Whether each 48-byte u of an envelope is a canonical point of the subgroup other than infinity, in order. */
  check_points: TaskOf<readonly Uint8Array[], readonly boolean[]>;
}

/** Sent by block execution and by admission. */
export interface SealingTasks extends PointTasks {
  /** The contents of envelopes of one height, in order. Takes one pairing each, some 8 ms. */
  open_envelopes: TaskOf<EnvelopesToOpen, readonly OpenedEnvelope[]>;
}

export function openEnvelopes(
  opener: SealOpener,
  envelopes: readonly EnvelopeToOpen[],
): readonly OpenedEnvelope[] {
  return envelopes.map((envelope) => actionOf(opener.open(envelope, envelope.header)));
}

function actionOf(opened: OpenResult): OpenedEnvelope {
  if ('refused' in opened) return opened;
  try {
    ledger.Action.decode(opened.content);
  } catch (error) {
    if (error instanceof BorshError) return { refused: 'no_action' };
    throw error;
  }
  return { action: opened.content };
}
