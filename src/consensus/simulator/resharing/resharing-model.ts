import type { Complaint, Dealing } from '../../../generated/ledger.js';
import type { DealtAck, DealtShare } from '../../../generated/mesh.js';
import type { ValidatorIdentity } from '../../files/identity-file.js';
import type { SecretDisk } from './secret-disk.js';

/** The frames of the mesh that resharing uses. */
interface ResharingFrames {
  readonly dealt_share: DealtShare;
  readonly dealt_ack: DealtAck;
  readonly dealing: Dealing;
  readonly complaint: Complaint;
}

export type ResharingMessage = {
  readonly [K in keyof ResharingFrames]: { readonly kind: K; readonly value: ResharingFrames[K] };
}[keyof ResharingFrames];

/** A validator of the run, as checks and actors see it. */
export interface HostView {
  /** Its number in the run, which stays the same in all sets. */
  readonly index: number;
  readonly identity: ValidatorIdentity;
  readonly disk: SecretDisk;
  readonly isAlive: boolean;
  /** Height of its last final block. */
  readonly height: bigint;
  /** Epochs with a sealed share that it could not read at some time, because a task failed. */
  readonly unread: ReadonlySet<bigint>;
  /** Notes that this validator breaks a promise. @param what follows its name */
  fail(what: string): void;
  /** Sends a message as it is. */
  transmit(to: number, message: ResharingMessage): void;
}
