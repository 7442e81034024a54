/** What every call of a batch shares. */
export interface BatchHead {
  /** Under which the worker reports how far it is. */
  readonly task: number;
  readonly tipHeight: number;
  readonly finalizedHeight: number;
  /** The node's clock: milliseconds since 1970. */
  readonly nowMs: number;
}
