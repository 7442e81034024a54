import * as v from 'valibot';
import type { CeremonyRecord, OwnDealing, ReceivedShare, ResharingRecord } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import type { BorshCodec } from '../../idl/codecs/codec.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { toPrefixedHex } from '../../idl/hex.js';
import { hexBytes } from './hex-bytes.js';
import type { Passphrase } from './passphrase.js';
import { eraseSecretFile, malformed, readSecretFile, writeSecretFile } from './secret-file.js';

const schema = v.strictObject({ record: hexBytes() });

/** Where a secret record is kept. Calls must not overlap. */
export interface SecretRecord<T> {
  /** Undefined if there is none. @throws SecretFileError as `readSecretFile` */
  read(): Promise<T | undefined>;
  /** Resolves once the record is synced. @throws SecretFileError `unreadable` */
  write(record: T): Promise<void>;
  /** @throws SecretFileError `unreadable` */
  erase(): Promise<void>;
}

/** A file that holds one secret record in Borsh. */
function recordFile<T>(
  path: string,
  name: string,
  codec: BorshCodec<T>,
  passphrase: Passphrase | undefined,
): SecretRecord<T> {
  const kind = { name, schema };
  return {
    read: async () => {
      const content = await readSecretFile(path, kind, passphrase);
      try {
        return content && codec.decode(content.record);
      } catch (error) {
        // Discards the codec's error message, because it contains bytes of the record.
        if (error instanceof BorshError) throw malformed(path, kind);
        throw error;
      }
    },
    write: (record) => {
      const content = { record: toPrefixedHex(codec.encode(record)) };
      return writeSecretFile(path, kind, content, passphrase);
    },
    erase: () => eraseSecretFile(path),
  };
}

/** A ceremony participant's record, written before it approves. */
export function ceremonyRecordFile(path: string, passphrase?: Passphrase): SecretRecord<CeremonyRecord> {
  return recordFile(path, 'record of a ceremony', meshCodecs.CeremonyRecord, passphrase);
}

/** The file of a validator's {@link ResharingFile}. */
export function resharingRecordFile(path: string, passphrase?: Passphrase): SecretRecord<ResharingRecord> {
  return recordFile(path, 'record of a resharing', meshCodecs.ResharingRecord, passphrase);
}

/** A validator's record of one epoch's resharing: the secrets of its own dealing, and the evaluations dealt to it. */
export class ResharingFile {
  readonly #file: SecretRecord<ResharingRecord>;
  #record: ResharingRecord;
  /** Whether the file holds this epoch's record. */
  #isStored: boolean;

  private constructor(file: SecretRecord<ResharingRecord>, record: ResharingRecord, isStored: boolean) {
    this.#file = file;
    this.#record = record;
    this.#isStored = isStored;
  }

  /**
   * Opens the record of an epoch; a record of an earlier epoch, whose last block is final, is erased.
   * @throws SecretFileError as `readSecretFile`
   */
  static async open(file: SecretRecord<ResharingRecord>, epoch: bigint): Promise<ResharingFile> {
    const kept = await file.read();
    if (kept?.epoch !== epoch) await file.erase();
    return ResharingFile.#of(file, kept, epoch);
  }

  /**
   * Reads the record of an epoch that is over, empty if there is none; other epochs' records are left untouched.
   * @throws SecretFileError as `readSecretFile`
   */
  static async read(file: SecretRecord<ResharingRecord>, epoch: bigint): Promise<ResharingFile> {
    return ResharingFile.#of(file, await file.read(), epoch);
  }

  static #of(
    file: SecretRecord<ResharingRecord>,
    kept: ResharingRecord | undefined,
    epoch: bigint,
  ): ResharingFile {
    if (kept?.epoch === epoch) return new ResharingFile(file, kept, true);
    return new ResharingFile(file, { epoch, received: [] }, false);
  }

  get record(): ResharingRecord {
    return this.#record;
  }

  /** Persists dealer's or player's state; calls must not overlap. @throws SecretFileError `unreadable` */
  async keep(
    change: { readonly own: OwnDealing } | { readonly received: readonly ReceivedShare[] },
  ): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.#file.write(this.#record);
    this.#isStored = true;
  }

  /** Erases this epoch's record, if the file holds it. @throws SecretFileError `unreadable` */
  async erase(): Promise<void> {
    this.#record = { epoch: this.#record.epoch, received: [] };
    if (this.#isStored) await this.#file.erase();
    this.#isStored = false;
  }
}
