import type { ResharingRecord } from '../../../generated/mesh.js';
import { meshCodecs } from '../../../generated/mesh-codecs.js';
import type { EncryptionKey } from '../../files/encryption-file.js';
import type { SecretRecord } from '../../files/record-file.js';
import type { ValidatorShare } from '../../files/share-file.js';
import type { ResharingWorld } from './resharing-scenario.js';

export interface SecretFiles {
  readonly record: Uint8Array | undefined;
  readonly share: ValidatorShare | undefined;
  readonly keys: readonly EncryptionKey[];
}

/** A validator's secret files. A crash in the middle of a write leaves the old content or the new one. */
export class SecretDisk {
  readonly #world: ResharingWorld;
  /** The contents that a crash cannot undo. */
  durable: SecretFiles;
  /** Writes that are not synced yet. */
  readonly #open = new Set<Partial<SecretFiles>>();
  #decoded: { readonly record: Uint8Array | undefined; readonly value: ResharingRecord | undefined } = {
    record: undefined,
    value: undefined,
  };
  /** Counts the processes; each has lost the writes of the one before. */
  #life = 0;

  constructor(world: ResharingWorld, files: SecretFiles) {
    this.#world = world;
    this.durable = files;
  }

  get record(): ResharingRecord | undefined {
    const { record } = this.durable;
    if (this.#decoded.record !== record)
      this.#decoded = { record, value: record && meshCodecs.ResharingRecord.decode(record) };
    return this.#decoded.value;
  }

  crash(): void {
    const { random } = this.#world;
    for (const change of this.#open) if (random.chance(0.5)) this.#apply(change);
    this.#open.clear();
    this.#life++;
  }

  /** Resolves once the change is synced; never if the process dies before. */
  write(change: Partial<SecretFiles>): Promise<void> {
    const { random, scenario, isStable } = this.#world;
    this.#open.add(change);
    const life = this.#life;
    const delayMs = scenario.syncMs * (!isStable && random.chance(0.1) ? 20 : 1);
    return new Promise((resolve) => {
      this.#world.after(delayMs, () => {
        if (life !== this.#life) return;
        this.#open.delete(change);
        this.#apply(change);
        resolve();
      });
    });
  }

  /** The file of the resharing record, as one process uses it. */
  recordFile(): SecretRecord<ResharingRecord> {
    const life = this.#life;
    const write = (record: Uint8Array | undefined) =>
      life === this.#life ? this.write({ record }) : new Promise<void>(() => undefined);
    return {
      read: async () => this.record,
      write: (record) => write(meshCodecs.ResharingRecord.encode(record)),
      erase: async () => {
        if (this.durable.record !== undefined || this.#open.size > 0) await write(undefined);
      },
    };
  }

  #apply(change: Partial<SecretFiles>): void {
    this.durable = { ...this.durable, ...change };
  }
}
