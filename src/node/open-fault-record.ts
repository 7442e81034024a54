import { FaultRecord } from '../chain/fault-record.js';
import { UnderWay } from '../chain/under-way.js';
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
    const out = names.filter((name) => record.standing(name) === 'out').length;
    log.warn(
      { candidates: names.length, out },
      out > 0
        ? 'the node ended while it tried a candidate alone that it had ended with before: it is out for good'
        : 'the node ended while it executed candidates: each is tried last and alone before it is in a block again',
    );
  }
  return { underWay, record };
}
