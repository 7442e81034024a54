import { CodedError } from '../base/errors.js';

/** Problems of a snapshot or its import. */
export type SnapshotErrorCode =
  /** Its parts contradict each other: header, history, validator set, checkpoint. */
  | 'malformed'
  /** Not certified by the trust anchor. */
  | 'untrusted'
  /** A chunk's proof does not lead to the state root. */
  | 'not_proved'
  /** A chunk contains a blob that none of its entries refers to. */
  | 'wrong_blob'
  /** No chunk contains a contract's code or text. */
  | 'missing_blob'
  /** Individually valid chunks do not fit together, or do not match the checkpoint. */
  | 'wrong_cut'
  /** Another snapshot is being imported into this store. */
  | 'other_snapshot'
  | 'has_chain'
  /** Some chunks are missing. */
  | 'incomplete'
  | 'no_checkpoint'
  /** The file cannot be read or written, or is not a snapshot archive. */
  | 'bad_archive';

/** Thrown by snapshots, checkpoints and archives. */
export class SnapshotError extends CodedError<SnapshotErrorCode> {
  override readonly name = 'SnapshotError';
  /** Indexes of the affected chunks. */
  readonly chunks: readonly number[];

  constructor(
    code: SnapshotErrorCode,
    message: string,
    options: ErrorOptions & { chunks?: readonly number[] } = {},
  ) {
    super(code, message, options);
    this.chunks = options.chunks ?? [];
  }
}
