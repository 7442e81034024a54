import { CodedError } from '../base/errors.js';

/** Reasons for errors in this node's use of the mesh, as opposed to a peer's fault. */
export type MeshErrorCode =
  /** The node cannot listen on the configured address. */
  | 'listen_failed'
  /** A value exceeds the size limit of its frame kind. */
  | 'frame_too_large'
  /** Not a valid host and port. */
  | 'bad_endpoint';

export class MeshError extends CodedError<MeshErrorCode> {
  override readonly name = 'MeshError';
}

/** Protocol violations by a peer. */
export type PeerFaultCode =
  /** An unknown kind, a piece out of order, or a second hello. */
  | 'bad_frame'
  /** A frame exceeds the size limit of its kind. */
  | 'too_large'
  /** A payload does not decode as the kind's type. */
  | 'bad_value'
  /** The peer exceeds the rate of a frame kind. */
  | 'too_fast'
  /** The first frame is not a hello. */
  | 'no_hello'
  | 'wrong_version'
  | 'wrong_chain'
  /** The receiver of a message found it invalid. */
  | 'misbehaved';

/** Thrown for a protocol violation: the connection ends, and the peer is dropped, counted and banned for a while. */
export class PeerFault extends CodedError<PeerFaultCode> {
  override readonly name = 'PeerFault';
}

/** Reasons why a connection ended without a fault of the peer. */
export type CloseReason =
  /** The peer closed it, or the network failed. */
  | 'lost'
  /** No traffic for too long. */
  | 'idle'
  /** The peer does not read what is sent. */
  | 'stalled'
  /** The vote queue for the peer is full. */
  | 'overflow'
  /** Another connection to the same peer was kept. */
  | 'superseded'
  /** The peer is no longer allowed. */
  | 'removed'
  | 'handshake_timeout'
  /** This node failed to handle a message. */
  | 'internal_error'
  /** The mesh was stopped. */
  | 'stopped';
