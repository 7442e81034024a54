import { throttled } from '../../base/throttle.js';
import { ExecutionMarker } from '../../chain/faults/execution-marker.js';
import { FaultRecord } from '../../chain/faults/fault-record.js';
import type { CoreOptions } from './core-options.js';

/** The failed candidates, and those whose execution is in progress. */
export interface OpenedFaultRecord {
  readonly marker: ExecutionMarker;
  readonly record: FaultRecord;
}

/** Opens a data directory's fault record, and adds the candidates in progress when the last process ended. */
export function openFaultRecord({ config, log, teardown }: CoreOptions): OpenedFaultRecord {
  const { dataDir } = config;
  const unnoted = throttled((error, times) =>
    log.warn({ err: error, times }, 'could not record which candidates are being executed'),
  );
  const marks = ExecutionMarker.open(dataDir, unnoted);
  const { marker, interrupted } = marks;
  teardown.add(() => marker.close());
  const record = FaultRecord.open(dataDir, marks, unnoted);
  const names = interrupted.flatMap((one) => one.names);
  if (names.length > 0) {
    const atWork = interrupted.flatMap((one) => one.running);
    for (const name of atWork) {
      const reason = record.rejectionReason(name);
      if (reason !== undefined) log.warn({ hash: name, reason }, 'a candidate is excluded for a day');
    }
    log.warn(
      { candidates: names.length, atWork: atWork.length },
      'the node ended while executing candidates: interrupted ones are retried alone, the others are watched',
    );
  }
  return { marker, record };
}
