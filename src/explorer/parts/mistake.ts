/** A line of text that the user enters outside the types of a contract. */
export interface EnteredLine {
  /** Path to its field, where a mistake in it is shown. */
  readonly path: string;
  readonly value: string;
}

/** A mistake in one field. */
export interface Mistake {
  /** Path to the field, such as `args.orders[3].owner`. */
  readonly path: string;
  readonly message: string;
}
