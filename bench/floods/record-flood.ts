import type { FloodReport } from '../../test/support/floods/run-flood.js';
import { atLeast, atMost, recordCost, recordGain } from '../support/record-values.js';

/** Records the headline figures of a flood. @param blockTime of the node, in milliseconds */
export function recordFlood(report: FloodReport, blockTime: number): void {
  const { flood, during, blocks, peakMiB, endedMs } = report;
  const { status, reads, proofs, calls, submits } = during.groups;
  recordCost(`${flood}: status p99`, 'ms', status.p99Ms, atMost(50));
  recordCost(`${flood}: reads p99`, 'ms', reads.p99Ms, atMost(500));
  recordCost(`${flood}: proofs p99`, 'ms', proofs.p99Ms);
  recordCost(`${flood}: calls p99`, 'ms', calls.p99Ms);
  recordCost(`${flood}: submits p99`, 'ms', submits.p99Ms);
  for (const [name, { sent, answered }] of Object.entries({ calls, submits })) {
    if (sent > 0) recordGain(`${flood}: share of ${name} answered`, '×', answered / sent, atLeast(1));
  }
  recordCost(`${flood}: longest block interval`, 'ms', blocks.maxMs, atMost(2 * blockTime));
  recordCost(`${flood}: peak memory`, 'MiB', peakMiB);
  if (endedMs !== undefined) recordCost(`${flood}: exit after SIGTERM`, 'ms', endedMs, atMost(2_000));
}
