import type { Registry } from 'prom-client';
import { Declarations } from './declare.js';

type Traffic = ReadonlyMap<string, { readonly messages: number; readonly bytes: number }>;

/** Counters of a validator's mesh since the start, by message kind or reason. */
export interface MeshGauges {
  readonly sent: Traffic;
  readonly received: Traffic;
  readonly discardedSending: ReadonlyMap<string, number>;
  readonly discardedReceiving: ReadonlyMap<string, number>;
  /** Number of times that reading from a peer was paused because the peer sent too much. */
  readonly pauses: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly closed: ReadonlyMap<string, number>;
  readonly refused: ReadonlyMap<string, number>;
}

/** Adds the metrics of a validator's mesh to a registry; call once. */
export function watchMesh(registry: Registry, mesh: MeshGauges): void {
  const declare = new Declarations(registry);
  for (const [direction, traffic, discarded] of [
    ['sent', mesh.sent, mesh.discardedSending],
    ['received', mesh.received, mesh.discardedReceiving],
  ] as const) {
    const name = `heddle_mesh_${direction}`;
    declare.counters(`${name}_bytes_total`, `Payload bytes ${direction}, by kind of message`, 'kind', () =>
      Array.from(traffic, ([kind, { bytes }]) => [kind, bytes]),
    );
    declare.counters(`${name}_messages_total`, `Messages ${direction}, by kind`, 'kind', () =>
      Array.from(traffic, ([kind, { messages }]) => [kind, messages]),
    );
    declare.counters(
      `${name}_discarded_total`,
      `Messages not ${direction} because of a limit, by kind`,
      'kind',
      () => discarded,
    );
  }
  declare.counter(
    'heddle_mesh_pauses_total',
    'Pauses in reading from validators that send too much',
    () => mesh.pauses,
  );
  declare.counters(
    'heddle_mesh_faults_total',
    'Validators dropped for what they sent, by fault',
    'code',
    () => mesh.faults,
  );
  declare.counters(
    'heddle_mesh_closed_total',
    "Connections that ended for no validator's fault, by reason",
    'reason',
    () => mesh.closed,
  );
  declare.counters(
    'heddle_mesh_refused_total',
    'Connections refused, by reason',
    'reason',
    () => mesh.refused,
  );
}
