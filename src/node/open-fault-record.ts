import { ExecutionMarker } from '../chain/faults/execution-marker.js';
import { FaultRecord } from '../chain/faults/fault-record.js';
import type { Logger } from '../log.js';
import { seldom } from './seldom.js';

/** Opens what a data directory knows of candidates that were at fault, and what was under way when the last process ended. */
export function openFaultRecord(
  dataDir: string,
  log: Logger,
): { readonly underWay: ExecutionMarker; readonly record: FaultRecord } {
  const unnoted = seldom((error, times) =>
    log.warn({ err: error, times }, 'which candidates are being executed could not be noted'),
  );
  const marks = ExecutionMarker.open(dataDir, unnoted);
  const { marker, interrupted } = marks;
  const record = FaultRecord.open(dataDir, marks, unnoted);
  const names = interrupted.flatMap((one) => one.names);
  if (names.length > 0) {
    const atWork = interrupted.flatMap((one) => one.running);
    for (const name of atWork) {
      const reason = record.rejectionReason(name);
      if (reason !== undefined) log.warn({ hash: name, reason }, 'a candidate is out for a day');
    }
    log.warn(
      { candidates: names.length, atWork: atWork.length },
      'the node ended while it executed candidates: those that it was in the middle of are tried alone, the others are watched',
    );
  }
  return { underWay: marker, record };
}
