import type { CallFrame, FrameLog } from '../generated/node-rpc-v1.js';

/** The events and calls of a frame in order. An event without a position, of an earlier version, comes first. */
export function frameSteps({ logs, calls }: CallFrame): (FrameLog | CallFrame)[] {
  const steps: (FrameLog | CallFrame)[] = [];
  let before = 0;
  for (const log of logs) {
    const position = Math.max(before, log.position ?? 0);
    steps.push(...calls.slice(before, position), log);
    before = position;
  }
  return [...steps, ...calls.slice(before)];
}
