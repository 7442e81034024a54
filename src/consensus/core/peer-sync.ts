import { type EpochState, VIEW_WINDOW } from './epoch-state.js';
import { REBROADCAST_INTERVAL_MS } from './pacemaker.js';
import { MAX_REQUESTED_VIEWS } from './requests.js';
import type { BlockHash, Certificate, CertificateRequest, VoteMessage } from './types.js';

/** Sends this node's position to a peer that is behind, and requests certificates from one ahead (rule 6). */
export function onPeerMessage(state: EpochState, peer: number, message: VoteMessage): void {
  if (message.epoch > state.epoch) {
    // A node in a later epoch answers any message of this epoch with the epoch's end (rule 10).
    askPeer(state, peer, state.view, state.view);
    return;
  }
  if (!state.rules.helpsLaggingPeers) return;
  if (message.epoch < state.epoch) {
    if (state.peers.mayTell(peer, state.nowMs))
      state.emit({ type: 'send_epoch_end', epoch: message.epoch, to: peer });
    return;
  }
  const view = minSenderView(message);
  if (view < state.view) sendPositionTo(state, peer);
  else if (view > state.view + 1) askPeer(state, peer, state.view, view - 1);
}

/** Handles a repeated vote, which only a stuck peer sends. */
export function onRepeatedVote(state: EpochState, peer: number, message: VoteMessage): void {
  if (state.rules.helpsLaggingPeers && message.view >= state.view) sendPositionTo(state, peer);
}

/** Handles a new connection: sends the peer this node's position and anything it may have missed (rules 6, 7 and 9). */
export function onPeerConnected(state: EpochState, peer: number): void {
  if (state.rules.helpsLaggingPeers) {
    returnVotes(state, peer);
    sendPosition(state, peer);
  }
  for (const record of state.records.values()) {
    const { notarize, nullify, finalize } = record.own;
    if (record.view < state.view - VIEW_WINDOW) continue;
    if (finalize !== undefined) sendVote(state, finalize, peer);
    if (record.view !== state.view) continue;
    if (notarize !== undefined) {
      const block = state.leader === state.self ? notarize.hash : undefined;
      sendVote(state, notarize, peer, block);
    }
    if (nullify !== undefined) sendVote(state, nullify, peer);
  }
}

/** Returns a peer's own votes to it, in case its disk was reset to an earlier state. */
function returnVotes(state: EpochState, peer: number): void {
  for (const record of state.records.values()) {
    for (const vote of record.votesOf(peer)) state.emit({ type: 'return_vote', vote, to: peer });
  }
}

/** When stuck in a view, rebroadcasts this node's position and its nullify vote (rule 6). */
export function rebroadcastWhenStuck(state: EpochState): void {
  if (!state.rules.repeatsWhenStuck) return;
  sendPosition(state, undefined);
  const nullify = state.records.get(state.view)?.own.nullify;
  if (nullify !== undefined) sendVote(state, nullify, undefined);
  state.timers.set('resend', state.nowMs + REBROADCAST_INTERVAL_MS, state.effects);
}

export function onCertificatesRequested(state: EpochState, peer: number, asked: CertificateRequest): void {
  if (asked.epoch < state.epoch) state.emit({ type: 'send_epoch_end', epoch: asked.epoch, to: peer });
  if (asked.epoch !== state.epoch) return;
  const answers: Certificate[] = [];
  const add = (certificate: Certificate | undefined) => {
    if (certificate !== undefined) answers.push(certificate);
  };
  if (asked.fromView <= state.finalizedView) add(state.finalization);
  const from = Math.max(asked.fromView, state.finalizedView + 1);
  const to = Math.min(asked.toView, state.view, from + MAX_REQUESTED_VIEWS - 1);
  for (let view = from; view <= to; view++) {
    const record = state.records.get(view);
    add(record?.notarization);
    add(record?.nullification);
  }
  const last = state.enteredBy;
  if (last !== undefined && last.view > to && last.kind !== 'finalize') add(last);
  for (const certificate of answers) send(state, certificate, peer);
  // An empty answer is sent as a request for views 0 to 0, because a starting peer waits for the others' positions.
  if (answers.length === 0 && asked.toView > 0) {
    state.emit({ type: 'request_certificates', epoch: state.epoch, fromView: 0, toView: 0, to: peer });
  }
}

/** Lower bound of the sender's view: a node that finalizes a view, or has a certificate of it, has left it. */
function minSenderView(
  message: VoteMessage & { readonly signature?: Uint8Array; readonly signer?: number },
): number {
  const isVote = message.signer !== undefined;
  return isVote && message.kind !== 'finalize' ? message.view : message.view + 1;
}

function sendPositionTo(state: EpochState, peer: number): void {
  if (state.peers.mayTell(peer, state.nowMs)) sendPosition(state, peer);
}

function askPeer(state: EpochState, peer: number, fromView: number, toView: number): void {
  if (!state.peers.mayAsk(peer, state.nowMs)) return;
  const from = Math.max(fromView, toView - MAX_REQUESTED_VIEWS + 1);
  const { epoch } = state;
  state.emit({ type: 'request_certificates', epoch, fromView: from, toView, to: peer });
}

function sendPosition(state: EpochState, to: number | undefined): void {
  const { finalization, enteredBy, epoch } = state;
  if (finalization !== undefined) send(state, finalization, to);
  else if (epoch > 0 && to !== undefined) state.emit({ type: 'send_epoch_end', epoch: epoch - 1, to });
  if (enteredBy !== undefined && enteredBy !== finalization) send(state, enteredBy, to);
}

function sendVote(state: EpochState, message: VoteMessage, to: number | undefined, block?: BlockHash): void {
  state.emit({ type: 'send_vote', message, block, to });
}

function send(state: EpochState, certificate: Certificate, to: number | undefined): void {
  state.emit({ type: 'send_certificate', certificate, to });
}
