import * as v from 'valibot';
import type { CeremonyRecord, ReceivedShare, ResharingRecord } from '../../generated/mesh.js';
import { meshCodecs } from '../../generated/mesh-codecs.js';
import type { Codec } from '../../idl/codecs/codec.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import type { Passphrase } from './passphrase.js';
import { eraseSecretFile, malformed, readSecretFile, writeSecretFile } from './secret-file.js';

const schema = v.strictObject({ record: v.pipe(v.string(), v.regex(/^0x([0-9a-f]{2})*$/)) });

/** Secrets of which the whole is kept in one file, in Borsh. */
class RecordFile<T> {
  readonly #path: string;
  readonly #kind: string;
  readonly #codec: Codec<T>;
  readonly #passphrase: Passphrase | undefined;

  constructor(path: string, kind: string, codec: Codec<T>, passphrase: Passphrase | undefined) {
    this.#path = path;
    this.#kind = kind;
    this.#codec = codec;
    this.#passphrase = passphrase;
  }

  /**
   * @returns undefined where there is none
   * @throws SecretFileError as `readSecretFile` says
   */
  async read(): Promise<T | undefined> {
    const content = await readSecretFile(this.#path, this.#kind, this.#passphrase);
    if (content === undefined) return undefined;
    const parsed = v.safeParse(schema, content);
    if (!parsed.success) throw malformed(this.#path, this.#kind);
    try {
      return this.#codec.decode(Buffer.from(parsed.output.record.slice(2), 'hex'));
    } catch (error) {
      // The codec's message tells bytes of the record: it is not passed on.
      if (error instanceof BorshError) throw malformed(this.#path, this.#kind);
      throw error;
    }
  }

  /** Synced when it returns. @throws SecretFileError `unreadable` */
  async write(record: T): Promise<void> {
    const content = { record: `0x${Buffer.from(this.#codec.encode(record)).toString('hex')}` };
    await writeSecretFile(this.#path, this.#kind, content, this.#passphrase);
  }

  /** @throws SecretFileError `unreadable` */
  async erase(): Promise<void> {
    await eraseSecretFile(this.#path);
  }
}

/** What a participant of a ceremony keeps before it approves. */
export function ceremonyRecordFile(path: string, passphrase?: Passphrase): RecordFile<CeremonyRecord> {
  return new RecordFile(path, 'record of a ceremony', meshCodecs.CeremonyRecord, passphrase);
}

/** What a validator keeps of one epoch's resharing: its polynomial, and what it acknowledged. */
export class ResharingFile {
  readonly #file: RecordFile<ResharingRecord>;
  #record: ResharingRecord;

  private constructor(file: RecordFile<ResharingRecord>, record: ResharingRecord) {
    this.#file = file;
    this.#record = record;
  }

  /**
   * What is kept of an epoch. Of an earlier one, whose boundary is final, nothing is: it is erased.
   * @throws SecretFileError as `readSecretFile` says
   */
  static async open(path: string, epoch: bigint, passphrase?: Passphrase): Promise<ResharingFile> {
    const file = new RecordFile(path, 'record of a resharing', meshCodecs.ResharingRecord, passphrase);
    const kept = await file.read();
    if (kept?.epoch === epoch) return new ResharingFile(file, kept);
    if (kept !== undefined) await file.erase();
    return new ResharingFile(file, { epoch, polynomial: [], received: [] });
  }

  /** What is kept of an epoch; undefined where nothing is. Of others nothing is touched. @throws SecretFileError as `readSecretFile` says */
  static async read(
    path: string,
    epoch: bigint,
    passphrase?: Passphrase,
  ): Promise<ResharingFile | undefined> {
    const file = new RecordFile(path, 'record of a resharing', meshCodecs.ResharingRecord, passphrase);
    const kept = await file.read();
    return kept?.epoch === epoch ? new ResharingFile(file, kept) : undefined;
  }

  get record(): ResharingRecord {
    return this.#record;
  }

  /** Keeps what the dealer or the player wants kept. Synced when it returns; one at a time. @throws SecretFileError `unreadable` */
  async keep(
    change: { readonly polynomial: readonly Uint8Array[] } | { readonly received: readonly ReceivedShare[] },
  ): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.#file.write(this.#record);
  }

  /** @throws SecretFileError `unreadable` */
  async erase(): Promise<void> {
    this.#record = { epoch: this.#record.epoch, polynomial: [], received: [] };
    await this.#file.erase();
  }
}
