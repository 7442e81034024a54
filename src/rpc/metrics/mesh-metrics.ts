import { Counter, type Registry } from 'prom-client';

/** Counters of a validator's mesh since the start, by message kind or reason. */
export interface MeshGauges {
  readonly sent: ReadonlyMap<string, { readonly messages: number; readonly bytes: number }>;
  readonly received: ReadonlyMap<string, { readonly messages: number; readonly bytes: number }>;
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
  const registers = [registry];
  const add = (
    name: string,
    help: string,
    label: string,
    values: () => Iterable<readonly [string, number]>,
  ) =>
    new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of values()) this.inc({ [label]: value }, count);
      },
    });
  for (const [direction, traffic, discarded] of [
    ['sent', mesh.sent, mesh.discardedSending],
    ['received', mesh.received, mesh.discardedReceiving],
  ] as const) {
    add(
      `heddle_mesh_${direction}_bytes_total`,
      `Payload bytes ${direction}, by kind of message`,
      'kind',
      () => [...traffic].map(([kind, { bytes }]) => [kind, bytes] as const),
    );
    add(`heddle_mesh_${direction}_messages_total`, `Messages ${direction}, by kind`, 'kind', () =>
      [...traffic].map(([kind, { messages }]) => [kind, messages] as const),
    );
    add(
      `heddle_mesh_${direction}_discarded_total`,
      `Messages not ${direction} because of a limit, by kind`,
      'kind',
      () => discarded,
    );
  }
  new Counter({
    name: 'heddle_mesh_pauses_total',
    help: 'Pauses in reading from validators that send too much',
    registers,
    collect() {
      this.reset();
      this.inc(mesh.pauses);
    },
  });
  add(
    'heddle_mesh_faults_total',
    'Validators dropped for what they sent, by fault',
    'code',
    () => mesh.faults,
  );
  add(
    'heddle_mesh_closed_total',
    "Connections that ended for no validator's fault, by reason",
    'reason',
    () => mesh.closed,
  );
  add('heddle_mesh_refused_total', 'Connections refused, by reason', 'reason', () => mesh.refused);
}
