import type { Complaint, Dealing } from '../../../generated/ledger.js';
import type { DealtAck, DealtShare } from '../../../generated/mesh.js';

/** The frames of the mesh that resharing uses. */
export interface ResharingFrames {
  readonly dealt_share: DealtShare;
  readonly dealt_ack: DealtAck;
  readonly dealing: Dealing;
  readonly complaint: Complaint;
}

export type ResharingMessage = {
  readonly [K in keyof ResharingFrames]: { readonly kind: K; readonly value: ResharingFrames[K] };
}[keyof ResharingFrames];
