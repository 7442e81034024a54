// Generated from escrow.idl by `heddle contract build`. Do not edit.
import { Address, EventWriter, Reader, U128, Writer, call, none, view } from "heddle";

@final
export class Deal {
  constructor(
    public payer: Address,
    public payee: Address,
    /** The zero address means none. */
    public arbiter: Address,
    public amount: U128,
    /** Block time in milliseconds since 1970, after which the payer may reclaim the balance alone. */
    public deadline_ms: u64,
    public state: DealState,
  ) {}

  encode($writer: Writer): void {
    $writer.write<Address>(this.payer);
    $writer.write<Address>(this.payee);
    $writer.write<Address>(this.arbiter);
    $writer.write<U128>(this.amount);
    $writer.integer<u64>(this.deadline_ms);
    this.state.encode($writer);
  }

  decode($reader: Reader): void {
    this.payer = $reader.read<Address>();
    this.payee = $reader.read<Address>();
    this.arbiter = $reader.read<Address>();
    this.amount = $reader.read<U128>();
    this.deadline_ms = $reader.integer<u64>();
    this.state = $reader.read<DealState>();
  }
}

@final
export class DealState {
  private tag: u8;

  private constructor(tag: u8) {
    this.tag = tag;
  }

  static Open(): DealState {
    return new DealState(0);
  }

  get isOpen(): bool {
    return this.tag == 0;
  }

  static Released(): DealState {
    return new DealState(1);
  }

  get isReleased(): bool {
    return this.tag == 1;
  }

  static Refunded(): DealState {
    return new DealState(2);
  }

  get isRefunded(): bool {
    return this.tag == 2;
  }

  @operator("==")
  private sameVariant(other: DealState): bool {
    return this.tag == other.tag;
  }

  @operator("!=")
  private otherVariant(other: DealState): bool {
    return this.tag != other.tag;
  }

  encode($writer: Writer): void {
    $writer.integer<u8>(this.tag);
  }

  decode($reader: Reader): void {
    this.tag = $reader.variant(3);
  }
}

/** The events. Each function emits the event of its name. */
export namespace emit {
  export function Opened(id: u64, payer: Address, payee: Address, arbiter: Address, amount: U128, deadline_ms: u64): void {
    const $event = new EventWriter(memory.data<u8>([237, 243, 71, 128, 202, 114, 98, 84, 194, 156, 5, 88, 52, 89, 43, 112, 31, 157, 194, 16, 57, 177, 195, 130, 203, 118, 42, 217, 137, 98, 216, 165]), 3);
    const $topic0 = new Writer(8);
    $topic0.integer<u64>(id);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(payer);
    $event.topic($topic1);
    const $topic2 = new Writer(20);
    $topic2.write<Address>(payee);
    $event.topic($topic2);
    const $data = new Writer(44);
    $data.write<Address>(arbiter);
    $data.write<U128>(amount);
    $data.integer<u64>(deadline_ms);
    $event.emit($data);
  }

  export function Released(id: u64, payee: Address, amount: U128, by: Address): void {
    const $event = new EventWriter(memory.data<u8>([28, 236, 56, 144, 178, 26, 79, 144, 125, 163, 205, 207, 78, 63, 135, 64, 95, 20, 47, 206, 59, 61, 203, 238, 58, 9, 133, 234, 23, 220, 214, 186]), 2);
    const $topic0 = new Writer(8);
    $topic0.integer<u64>(id);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(payee);
    $event.topic($topic1);
    const $data = new Writer(36);
    $data.write<U128>(amount);
    $data.write<Address>(by);
    $event.emit($data);
  }

  export function Refunded(id: u64, payer: Address, amount: U128, by: Address): void {
    const $event = new EventWriter(memory.data<u8>([122, 129, 241, 144, 43, 133, 27, 21, 76, 33, 107, 47, 71, 36, 90, 158, 239, 145, 3, 117, 52, 80, 49, 114, 172, 92, 153, 146, 47, 91, 169, 243]), 2);
    const $topic0 = new Writer(8);
    $topic0.integer<u64>(id);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(payer);
    $event.topic($topic1);
    const $data = new Writer(36);
    $data.write<U128>(amount);
    $data.write<Address>(by);
    $event.emit($data);
  }
}

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  export function NothingSent(): void {
    const $error = new Writer(4);
    $error.integer<u32>(0x0640e2aa);
    $error.revert();
  }

  export function InvalidParties(payer: Address, payee: Address, arbiter: Address): void {
    const $error = new Writer(64);
    $error.integer<u32>(0x9857a94d);
    $error.write<Address>(payer);
    $error.write<Address>(payee);
    $error.write<Address>(arbiter);
    $error.revert();
  }

  export function DeadlinePassed(deadline_ms: u64, now_ms: u64): void {
    const $error = new Writer(20);
    $error.integer<u32>(0xda73bf7f);
    $error.integer<u64>(deadline_ms);
    $error.integer<u64>(now_ms);
    $error.revert();
  }

  export function UnknownDeal(id: u64): void {
    const $error = new Writer(12);
    $error.integer<u32>(0x903240e5);
    $error.integer<u64>(id);
    $error.revert();
  }

  export function AlreadySettled(id: u64, state: DealState): void {
    const $error = new Writer(13);
    $error.integer<u32>(0xaa6303b6);
    $error.integer<u64>(id);
    state.encode($error);
    $error.revert();
  }

  /** The caller may not settle the deal this way, or not yet. */
  export function NotAllowed(id: u64, caller: Address): void {
    const $error = new Writer(32);
    $error.integer<u32>(0xa8610af9);
    $error.integer<u64>(id);
    $error.write<Address>(caller);
    $error.revert();
  }
}

/**
 * Holds native balance between a payer and a payee until they or an arbiter settle it. One contract holds any number
 * of deals, each with its own parties.
 *
 * While a deal is open, its payer or arbiter may release it to the payee, and its payee or arbiter may refund it to
 * the payer. After the deadline the payer may also reclaim it alone. The first settlement is final.
 */
export abstract class EscrowInterface {
  /**
   * Opens a deal with the balance sent with the call and returns its number. `deadline_ms` is a block time in the
   * future. The zero address as arbiter means none.
   * Payable.
   */
  abstract open(payee: Address, arbiter: Address, deadline_ms: u64): u64;

  /** Pays the payee. */
  abstract release(id: u64): void;

  /** Refunds the payer. */
  abstract refund(id: u64): void;

  /**
   * A deal, open or settled; fails if the number is unknown.
   * A view: changes nothing.
   */
  abstract deal(id: u64): Deal;

  /**
   * Number of deals ever opened; deals are numbered from 0.
   * A view: changes nothing.
   */
  abstract deal_count(): u64;

  /**
   * Total balance of all open deals.
   * A view: changes nothing.
   */
  abstract held(): U128;
}
