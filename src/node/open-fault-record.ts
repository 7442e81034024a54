import { FaultRecord } from '../chain/faults/fault-record.js';
import { UnderWay } from '../chain/faults/under-way.js';
import type { Logger } from '../log.js';
import { seldom } from './seldom.js';

/** Opens what a data directory knows of candidates that were at fault, and what was under way when the last process ended. */
export function openFaultRecord(
  dataDir: string,
  log: Logger,
): { readonly underWay: UnderWay; readonly record: FaultRecord } {
  const unnoted = seldom((error, times) =>
    log.warn({ err: error, times }, 'which candidates are being executed could not be noted'),
  );
  const marks = UnderWay.open(dataDir, unnoted);
  const { underWay, interrupted } = marks;
  const record = FaultRecord.open(dataDir, marks, unnoted);
  const names = interrupted.flatMap((one) => one.names);
  if (names.length > 0) {
    const atWork = interrupted.flatMap((one) => one.atWork);
    for (const name of atWork) {
      const reason = record.reasonOut(name);
      if (reason !== undefined) log.warn({ hash: name, reason }, 'a candidate is out for a day');
    }
    log.warn(
      { candidates: names.length, atWork: atWork.length },
      'the node ended while it executed candidates: those that it was in the middle of are tried alone, the others are watched',
    );
  }
  return { underWay, record };
}
