import type { EpochState } from './epoch-state.js';
import type { BlockHash } from './types.js';

export const MAX_REQUESTED_VIEWS = 32;

/** Requests a missing block, first from `first`, then from others. */
export function requestBlock(state: EpochState, hash: BlockHash, first: number): void {
  const request = state.requests.block(hash, first, state.stepCount);
  if (request !== undefined) send(state, request);
}

export function requestCertificates(
  state: EpochState,
  fromView: number,
  toView: number,
  first: number,
): void {
  const from = Math.max(fromView, toView - MAX_REQUESTED_VIEWS + 1);
  const request = state.requests.certificates(from, toView, first, state.stepCount);
  if (request !== undefined) send(state, request);
}

/** Sends each request renewed in this step to the next peer. */
export function retryRequests(state: EpochState): void {
  for (const request of state.requests.outstanding(state.stepCount)) send(state, request);
}

type Request = NonNullable<ReturnType<EpochState['requests']['block']>>;

function send(state: EpochState, request: Request): void {
  if (!state.timers.isRunning('request'))
    state.timers.set('request', state.nowMs + state.config.deltaMs / 2, state.effects);
  const to = state.peers.nextPeer(request.first, request.attempts++);
  if (to === undefined) return;
  const { target } = request;
  if (typeof target === 'string') state.emit({ type: 'request_block', hash: target, to });
  else state.emit({ type: 'request_certificates', epoch: state.epoch, ...target, to });
}
