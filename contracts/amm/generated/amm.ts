// Generated from amm.idl by `heddle contract build`. Do not edit.
import { Address, EventWriter, Reader, U128, Writer, call, view } from "heddle";

@final
export class Tokens {
  constructor(
    public a: Address,
    public b: Address,
  ) {}

  encode($writer: Writer): void {
    $writer.write<Address>(this.a);
    $writer.write<Address>(this.b);
  }

  decode($reader: Reader): void {
    this.a = $reader.read<Address>();
    this.b = $reader.read<Address>();
  }
}

@final
export class Amounts {
  constructor(
    public a: U128,
    public b: U128,
  ) {}

  encode($writer: Writer): void {
    $writer.write<U128>(this.a);
    $writer.write<U128>(this.b);
  }

  decode($reader: Reader): void {
    this.a = $reader.read<U128>();
    this.b = $reader.read<U128>();
  }
}

@final
export class Deposit {
  constructor(
    public amount_a: U128,
    public amount_b: U128,
    public shares: U128,
  ) {}

  encode($writer: Writer): void {
    $writer.write<U128>(this.amount_a);
    $writer.write<U128>(this.amount_b);
    $writer.write<U128>(this.shares);
  }

  decode($reader: Reader): void {
    this.amount_a = $reader.read<U128>();
    this.amount_b = $reader.read<U128>();
    this.shares = $reader.read<U128>();
  }
}

/** The events. Each function emits the event of its name. */
export namespace emit {
  export function LiquidityAdded(provider: Address, to: Address, amount_a: U128, amount_b: U128, shares: U128): void {
    const $event = new EventWriter(memory.data<u8>([194, 174, 0, 98, 199, 41, 113, 181, 138, 213, 14, 143, 21, 86, 180, 29, 86, 248, 73, 243, 202, 1, 131, 112, 24, 255, 3, 59, 174, 144, 192, 148]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(provider);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(to);
    $event.topic($topic1);
    const $data = new Writer(48);
    $data.write<U128>(amount_a);
    $data.write<U128>(amount_b);
    $data.write<U128>(shares);
    $event.emit($data);
  }

  export function LiquidityRemoved(provider: Address, to: Address, amount_a: U128, amount_b: U128, shares: U128): void {
    const $event = new EventWriter(memory.data<u8>([54, 135, 65, 47, 0, 159, 194, 153, 223, 152, 24, 137, 187, 119, 253, 151, 110, 171, 108, 200, 244, 15, 160, 246, 107, 238, 162, 232, 12, 141, 11, 253]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(provider);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(to);
    $event.topic($topic1);
    const $data = new Writer(48);
    $data.write<U128>(amount_a);
    $data.write<U128>(amount_b);
    $data.write<U128>(shares);
    $event.emit($data);
  }

  export function Swapped(trader: Address, to: Address, token_in: Address, amount_in: U128, amount_out: U128): void {
    const $event = new EventWriter(memory.data<u8>([197, 21, 131, 6, 85, 137, 190, 54, 147, 179, 81, 66, 26, 152, 234, 164, 210, 174, 2, 254, 245, 130, 195, 157, 46, 15, 181, 216, 46, 35, 236, 85]), 3);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(trader);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(to);
    $event.topic($topic1);
    const $topic2 = new Writer(20);
    $topic2.write<Address>(token_in);
    $event.topic($topic2);
    const $data = new Writer(32);
    $data.write<U128>(amount_in);
    $data.write<U128>(amount_out);
    $event.emit($data);
  }

  export function SharesTransferred(from: Address, to: Address, amount: U128): void {
    const $event = new EventWriter(memory.data<u8>([28, 171, 98, 26, 184, 203, 122, 116, 46, 94, 163, 150, 103, 199, 69, 180, 252, 58, 136, 211, 51, 189, 13, 129, 177, 106, 120, 95, 161, 187, 65, 184]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(from);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(to);
    $event.topic($topic1);
    const $data = new Writer(16);
    $data.write<U128>(amount);
    $event.emit($data);
  }
}

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  export function InvalidTokens(token_a: Address, token_b: Address): void {
    const $error = new Writer(44);
    $error.integer<u32>(0xc99b14a3);
    $error.write<Address>(token_a);
    $error.write<Address>(token_b);
    $error.revert();
  }

  export function UnknownToken(token: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0x43febc88);
    $error.write<Address>(token);
    $error.revert();
  }

  export function InvalidRecipient(recipient: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0xd5b95b57);
    $error.write<Address>(recipient);
    $error.revert();
  }

  export function DeadlinePassed(deadline_ms: u64, now_ms: u64): void {
    const $error = new Writer(20);
    $error.integer<u32>(0x7ede2cc0);
    $error.integer<u64>(deadline_ms);
    $error.integer<u64>(now_ms);
    $error.revert();
  }

  /** The input or output amount is zero. */
  export function NothingToDo(): void {
    const $error = new Writer(4);
    $error.integer<u32>(0x8c1d30c4);
    $error.revert();
  }

  /** The pool is empty, or the first deposit is too small. */
  export function InsufficientLiquidity(available: U128, required: U128): void {
    const $error = new Writer(36);
    $error.integer<u32>(0x339574cc);
    $error.write<U128>(available);
    $error.write<U128>(required);
    $error.revert();
  }

  export function InsufficientShares(available: U128, required: U128): void {
    const $error = new Writer(36);
    $error.integer<u32>(0x5e4db5ee);
    $error.write<U128>(available);
    $error.write<U128>(required);
    $error.revert();
  }

  /** The amount is below the caller's minimum. */
  export function Slippage(got: U128, least: U128): void {
    const $error = new Writer(36);
    $error.integer<u32>(0x64f38212);
    $error.write<U128>(got);
    $error.write<U128>(least);
    $error.revert();
  }

  export function ReserveLimit(token: Address, reserve: U128): void {
    const $error = new Writer(40);
    $error.integer<u32>(0xc9e42813);
    $error.write<Address>(token);
    $error.write<U128>(reserve);
    $error.revert();
  }

  /** The pool's balance of the token does not cover its reserve. */
  export function TokenMisbehaved(token: Address, balance: U128, reserve: U128): void {
    const $error = new Writer(56);
    $error.integer<u32>(0x94e4a188);
    $error.write<Address>(token);
    $error.write<U128>(balance);
    $error.write<U128>(reserve);
    $error.revert();
  }
}

/**
 * A constant-product market maker for two tokens: trades move along x · y = k, and a fee of 0.3 % of the input stays
 * with the liquidity providers.
 *
 * All rounding favours the pool. Reserves are the amounts that the pool has recorded, not its token balances: tokens
 * sent outside a deposit or swap do not move the price and belong to no account. A deposit or swap fails if the
 * pool's balance of a token does not cover the reserve, as with tokens that charge transfer fees or misreport
 * balances. Reserves stay below 2^112.
 */
export abstract class AmmInterface {
  /** Runs at deployment. Both tokens must follow the interface of `token.idl`. */
  abstract init(token_a: Address, token_b: Address): void;

  /**
   * Deposits both tokens in the ratio of the reserves, between the minimum and the given amounts, and mints shares
   * for `to`. The first deposit sets the ratio. The caller must have approved the pool for both tokens.
   */
  abstract add_liquidity(amount_a: U128, amount_b: U128, min_a: U128, min_b: U128, to: Address, deadline_ms: u64): Deposit;

  /** Burns the caller's shares and pays out their part of both reserves. */
  abstract remove_liquidity(shares: U128, min_a: U128, min_b: U128, to: Address, deadline_ms: u64): Amounts;

  /**
   * Swaps an exact amount of one token for at least `min_out` of the other. The caller must have approved the pool for
   * the amount. Returns the amount that `to` received.
   */
  abstract swap(token_in: Address, amount_in: U128, min_out: U128, to: Address, deadline_ms: u64): U128;

  /** Transfers shares from the caller to `to`. */
  abstract transfer_shares(to: Address, amount: U128): void;

  /** A view: changes nothing. */
  abstract tokens(): Tokens;

  /** A view: changes nothing. */
  abstract reserves(): Amounts;

  /**
   * Output of a swap of `amount_in` at the current reserves.
   * A view: changes nothing.
   */
  abstract quote(token_in: Address, amount_in: U128): U128;

  /** A view: changes nothing. */
  abstract shares_of(owner: Address): U128;

  /**
   * Total shares, including 1000 from the first deposit that are locked forever.
   * A view: changes nothing.
   */
  abstract total_shares(): U128;
}
