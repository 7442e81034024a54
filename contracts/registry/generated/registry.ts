// Generated from registry.idl by `heddle contract build`. Do not edit.
import { Address, EventWriter, Option, Reader, U128, Writer, call, view } from "heddle";

@final
export class Record {
  constructor(
    public owner: Address,
    public target: Address,
    /** Expiry as a block time in milliseconds since 1970. */
    public expires_ms: u64,
  ) {}

  encode($writer: Writer): void {
    $writer.write<Address>(this.owner);
    $writer.write<Address>(this.target);
    $writer.integer<u64>(this.expires_ms);
  }

  decode($reader: Reader): void {
    this.owner = $reader.read<Address>();
    this.target = $reader.read<Address>();
    this.expires_ms = $reader.integer<u64>();
  }
}

/** The events. Each function emits the event of its name. */
export namespace emit {
  export function Registered(name: string, owner: Address, target: Address, expires_ms: u64): void {
    const $event = new EventWriter(memory.data<u8>([99, 144, 114, 173, 39, 68, 185, 94, 16, 172, 111, 162, 86, 117, 169, 123, 135, 28, 164, 110, 178, 68, 231, 140, 97, 139, 252, 213, 39, 218, 14, 207]), 2);
    const $topic0 = new Writer(64);
    $topic0.string(name, 32);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(owner);
    $event.topic($topic1);
    const $data = new Writer(28);
    $data.write<Address>(target);
    $data.integer<u64>(expires_ms);
    $event.emit($data);
  }

  export function Renewed(name: string, expires_ms: u64, paid: U128): void {
    const $event = new EventWriter(memory.data<u8>([121, 179, 124, 193, 230, 121, 209, 121, 205, 2, 5, 152, 151, 153, 93, 126, 177, 79, 94, 214, 194, 13, 183, 155, 211, 24, 180, 50, 164, 13, 101, 4]), 1);
    const $topic0 = new Writer(64);
    $topic0.string(name, 32);
    $event.topic($topic0);
    const $data = new Writer(24);
    $data.integer<u64>(expires_ms);
    $data.write<U128>(paid);
    $event.emit($data);
  }

  export function TargetChanged(name: string, target: Address): void {
    const $event = new EventWriter(memory.data<u8>([111, 37, 147, 18, 29, 168, 227, 113, 15, 47, 213, 19, 179, 117, 150, 118, 216, 211, 28, 56, 63, 22, 90, 17, 6, 59, 42, 113, 184, 237, 6, 77]), 1);
    const $topic0 = new Writer(64);
    $topic0.string(name, 32);
    $event.topic($topic0);
    const $data = new Writer(20);
    $data.write<Address>(target);
    $event.emit($data);
  }

  export function Transferred(name: string, from: Address, to: Address): void {
    const $event = new EventWriter(memory.data<u8>([124, 105, 154, 172, 66, 140, 32, 97, 66, 165, 188, 89, 23, 199, 61, 3, 214, 254, 252, 43, 4, 205, 45, 199, 142, 93, 194, 155, 151, 56, 183, 76]), 3);
    const $topic0 = new Writer(64);
    $topic0.string(name, 32);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(from);
    $event.topic($topic1);
    const $topic2 = new Writer(20);
    $topic2.write<Address>(to);
    $event.topic($topic2);
    const $data = new Writer(0);
    $event.emit($data);
  }

  export function Given(name: string, owner: Address): void {
    const $event = new EventWriter(memory.data<u8>([161, 173, 64, 156, 46, 44, 204, 86, 195, 63, 42, 73, 129, 134, 219, 188, 10, 41, 107, 86, 219, 181, 233, 2, 58, 120, 196, 62, 66, 107, 145, 187]), 2);
    const $topic0 = new Writer(64);
    $topic0.string(name, 32);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(owner);
    $event.topic($topic1);
    const $data = new Writer(0);
    $event.emit($data);
  }

  export function FeeChanged(fee_per_year: U128): void {
    const $event = new EventWriter(memory.data<u8>([63, 68, 240, 254, 86, 38, 95, 116, 158, 229, 79, 210, 170, 65, 184, 247, 210, 227, 193, 87, 120, 207, 11, 141, 198, 38, 156, 92, 48, 83, 76, 184]), 0);
    const $data = new Writer(16);
    $data.write<U128>(fee_per_year);
    $event.emit($data);
  }

  export function OwnerChanged(previous: Address, owner: Address): void {
    const $event = new EventWriter(memory.data<u8>([207, 239, 64, 88, 49, 239, 239, 150, 44, 47, 66, 168, 29, 108, 124, 215, 107, 160, 6, 102, 101, 37, 208, 70, 143, 230, 9, 24, 231, 86, 101, 138]), 2);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(previous);
    $event.topic($topic0);
    const $topic1 = new Writer(20);
    $topic1.write<Address>(owner);
    $event.topic($topic1);
    const $data = new Writer(0);
    $event.emit($data);
  }

  export function Withdrawn(to: Address, amount: U128): void {
    const $event = new EventWriter(memory.data<u8>([213, 18, 67, 243, 215, 108, 98, 119, 31, 223, 173, 160, 200, 49, 147, 74, 32, 170, 4, 3, 50, 250, 28, 18, 197, 166, 38, 210, 145, 63, 247, 14]), 1);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(to);
    $event.topic($topic0);
    const $data = new Writer(16);
    $data.write<U128>(amount);
    $event.emit($data);
  }
}

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  export function InvalidName(name: string): void {
    const $error = new Writer(68);
    $error.integer<u32>(0x8de965e5);
    $error.string(name, 32);
    $error.revert();
  }

  export function InvalidYears(years: u8): void {
    const $error = new Writer(5);
    $error.integer<u32>(0x6a94fae6);
    $error.integer<u8>(years);
    $error.revert();
  }

  export function NameTaken(name: string, owner: Address): void {
    const $error = new Writer(88);
    $error.integer<u32>(0xed69ab96);
    $error.string(name, 32);
    $error.write<Address>(owner);
    $error.revert();
  }

  /** The name has no owner or has expired. */
  export function NotRegistered(name: string): void {
    const $error = new Writer(68);
    $error.integer<u32>(0x04059cb9);
    $error.string(name, 32);
    $error.revert();
  }

  export function FeeNotPaid(required: U128, paid: U128): void {
    const $error = new Writer(36);
    $error.integer<u32>(0x0b004143);
    $error.write<U128>(required);
    $error.write<U128>(paid);
    $error.revert();
  }

  export function NotOwner(caller: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0x7b721c93);
    $error.write<Address>(caller);
    $error.revert();
  }

  export function InvalidAddress(address: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0xd81fe0f7);
    $error.write<Address>(address);
    $error.revert();
  }
}

/**
 * Maps names to addresses. A name belongs to the account that registered it, for the years paid for. After expiry it
 * stops resolving at once; for 30 more days only its owner can renew it, then anyone can register it.
 *
 * Names consist of 3 to 32 characters from a–z, 0–9 and hyphen, and neither begin nor end with a hyphen, so that no
 * two look the same. A year is 365 days of block time.
 */
export abstract class RegistryInterface {
  /** Runs at deployment. `owner` sets the fee and may withdraw collected fees. */
  abstract init(owner: Address, fee_per_year: U128): void;

  /**
   * Registers a free name for the caller and refunds any excess over the fee. Returns the expiry time.
   * Payable.
   */
  abstract register(name: string, years: u8, target: Address): u64;

  /**
   * Adds years to a name. Anyone may pay. Returns the new expiry time.
   * Payable.
   */
  abstract renew(name: string, years: u8): u64;

  /** Changes the target of a name. Only its owner may call this. */
  abstract set_target(name: string, target: Address): void;

  /** Transfers a name. Only its owner may call this. */
  abstract transfer(name: string, to: Address): void;

  /** Releases a name early, without a refund. Only its owner may call this. */
  abstract release(name: string): void;

  /** Changes the fee for later calls. Only the registry's owner may call this. */
  abstract set_fee(fee_per_year: U128): void;

  /** Withdraws collected fees. Only the registry's owner may call this. */
  abstract withdraw(to: Address, amount: U128): void;

  /** Transfers ownership of the registry. Only its owner may call this. */
  abstract set_owner(owner: Address): void;

  /**
   * The target of a name; absent if the name is free or expired.
   * A view: changes nothing.
   */
  abstract resolve(name: string): Option<Address>;

  /**
   * The record of a name; absent if it was never registered or was released.
   * A view: changes nothing.
   */
  abstract record(name: string): Option<Record>;

  /**
   * Whether the name can be registered now.
   * A view: changes nothing.
   */
  abstract is_available(name: string): bool;

  /**
   * The fee for a number of years.
   * A view: changes nothing.
   */
  abstract fee(years: u8): U128;

  /** A view: changes nothing. */
  abstract owner(): Address;
}
