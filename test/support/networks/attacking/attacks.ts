import {
  floodAboveRate,
  floodLarge,
  floodRequests,
  floodRequestsUnread,
  floodSmall,
  sendMalformed,
} from './frame-floods.js';
import { floodGossip, sendBadGossip } from './gossip-floods.js';
import { connectSilently, shakeHandsUnknown, stopHalfway } from './handshake-floods.js';
import { sendAlteredDealings, sendUntimelyDealings } from './resharing-attacks.js';
import type { Rogue } from './rogue.js';
import {
  forgeCertificates,
  replayCertificates,
  sendBadPartials,
  voteBothWays,
  voteFarAway,
  voteForOthers,
  voteUnsigned,
} from './vote-attacks.js';

/** Everything that a validator without a node does to the others; each attack ends soon after `rogue.isOver`. */
export const ATTACKS = {
  floodSmall,
  floodLarge,
  floodAboveRate,
  floodRequests,
  floodRequestsUnread,
  sendMalformed,
  connectSilently,
  stopHalfway,
  shakeHandsUnknown,
  floodGossip,
  sendBadGossip,
  sendUntimelyDealings,
  sendAlteredDealings,
  voteFarAway,
  voteBothWays,
  sendBadPartials,
  replayCertificates,
  forgeCertificates,
  voteForOthers,
  voteUnsigned,
} satisfies Readonly<Record<string, (rogue: Rogue) => Promise<void>>>;

export type AttackName = keyof typeof ATTACKS;
