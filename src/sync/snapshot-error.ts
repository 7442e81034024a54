/** What can be wrong with a snapshot, or with taking one in. */
export type SnapshotErrorCode =
  /** What comes with it does not agree with itself: header, history, validator set, checkpoint. */
  | 'malformed'
  /** It is not certified by what is trusted. */
  | 'untrusted'
  /** A chunk's proof does not lead to the state root. */
  | 'not_proved'
  /** A chunk brings a blob that nothing in it names. */
  | 'wrong_blob'
  /** A contract's code or text came with no chunk. */
  | 'missing_blob'
  /** Chunks that are true each for itself do not fit beside each other, or are not those that the checkpoint says. */
  | 'wrong_cut'
  /** Another snapshot is being imported into this store. */
  | 'other_snapshot'
  /** The store has a chain already. */
  | 'has_chain'
  /** Not all chunks are there. */
  | 'incomplete'
  /** There is no such checkpoint. */
  | 'no_checkpoint'
  /** The file cannot be read or written, or is no archive of a snapshot. */
  | 'bad_archive';

/** Thrown by snapshots, checkpoints and archives. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: SnapshotErrorCode;
  /** Chunks that the error is about, by their index. */
  readonly chunks: readonly number[];

  constructor(
    code: SnapshotErrorCode,
    message: string,
    options: ErrorOptions & { chunks?: readonly number[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.chunks = options.chunks ?? [];
  }
}
