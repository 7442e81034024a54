import type { Registry } from 'prom-client';
import { Declarations, type Labelled } from './declare.js';

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

export function watchMesh(registry: Registry, mesh: MeshGauges): void {
  const declare = new Declarations(registry);
  const counters = (name: string, help: string, label: string, values: Labelled): void =>
    declare.counters(`heddle_mesh_${name}_total`, help, label, values);
  for (const [direction, traffic, discarded] of [
    ['sent', mesh.sent, mesh.discardedSending],
    ['received', mesh.received, mesh.discardedReceiving],
  ] as const) {
    const sums = (field: 'bytes' | 'messages'): Labelled => {
      return () => Array.from(traffic, ([kind, sum]) => [kind, sum[field]]);
    };
    counters(`${direction}_bytes`, `Payload bytes ${direction}, by kind of message`, 'kind', sums('bytes'));
    counters(`${direction}_messages`, `Messages ${direction}, by kind`, 'kind', sums('messages'));
    const help = `Messages not ${direction} because of a limit, by kind`;
    counters(`${direction}_discarded`, help, 'kind', () => discarded);
  }
  const pauses = 'Pauses in reading from validators that send too much';
  declare.counter('heddle_mesh_pauses_total', pauses, () => mesh.pauses);
  counters('faults', 'Validators dropped for what they sent, by fault', 'code', () => mesh.faults);
  const closed = "Connections that ended for no validator's fault, by reason";
  counters('closed', closed, 'reason', () => mesh.closed);
  counters('refused', 'Connections refused, by reason', 'reason', () => mesh.refused);
}
