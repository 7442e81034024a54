/** What is wrong with how this node uses its mesh; nothing that a peer does. */
export type MeshErrorCode =
  /** It cannot listen where it should. */
  | 'listen_failed'
  /** A value is too large for its kind of frame. */
  | 'frame_too_large'
  /** A name or address with a port was expected. */
  | 'bad_endpoint';

export class MeshError extends Error {
  override readonly name = 'MeshError';

  constructor(
    readonly code: MeshErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What a peer did that no honest one does. */
export type PeerFaultCode =
  /** An unknown kind, pieces out of order, or a second hello. */
  | 'bad_frame'
  /** A frame longer than its kind may be. */
  | 'too_large'
  /** Bytes that are not of the kind's type. */
  | 'bad_value'
  /** More frames or bytes of a kind than its rate. */
  | 'too_fast'
  /** Its first frame is no hello. */
  | 'no_hello'
  /** It speaks another version of the protocol. */
  | 'wrong_version'
  /** It is on another chain. */
  | 'wrong_chain'
  /** What it sent was found wrong by whoever it was for. */
  | 'misbehaved';

/** Ends a connection: its peer is dropped, counted and kept out for a while. */
export class PeerFault extends Error {
  override readonly name = 'PeerFault';

  constructor(
    readonly code: PeerFaultCode,
    message: string,
  ) {
    super(message);
  }
}

/** Why a connection ended, where its peer is not at fault. */
export type CloseReason =
  /** The other end closed it, or the network broke it. */
  | 'lost'
  /** Nothing came for too long. */
  | 'idle'
  /** The peer does not read what is sent. */
  | 'stalled'
  /** More votes wait for the peer than are kept. */
  | 'overflow'
  /** Another connection to the same peer stays. */
  | 'superseded'
  /** The peer may no longer connect. */
  | 'removed'
  /** No hello in time. */
  | 'handshake_timeout'
  /** This node failed to handle what came. */
  | 'internal_error'
  /** The mesh stops. */
  | 'stopped';
