/** A mistake in one field. */
export interface Mistake {
  /** Path to the field, such as `args.orders[3].owner`. */
  readonly path: string;
  readonly message: string;
}
