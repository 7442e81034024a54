// Generated from counter.idl by `heddle contract build`. Do not edit.
import { Address, EventWriter, Writer, call, view } from "heddle";

/** The events. Each function emits the event of its name. */
export namespace emit {
  export function Counted(by: Address, count: u64): void {
    const $event = new EventWriter(memory.data<u8>([137, 159, 240, 152, 193, 202, 60, 187, 176, 95, 204, 229, 135, 244, 172, 214, 199, 165, 93, 225, 156, 164, 164, 152, 211, 41, 107, 242, 75, 178, 49, 97]), 1);
    const $topic0 = new Writer(20);
    $topic0.write<Address>(by);
    $event.topic($topic0);
    const $data = new Writer(8);
    $data.integer<u64>(count);
    $event.emit($data);
  }
}

/** The errors. Each function ends the call; the caller gets the error with its fields. */
export namespace fail {
  export function NotOwner(caller: Address): void {
    const $error = new Writer(24);
    $error.integer<u32>(0x21b3c940);
    $error.write<Address>(caller);
    $error.revert();
  }
}

/** A counter. Anyone may increment it; only the owner may reset it. */
export abstract class CounterInterface {
  /** Runs at deployment. */
  abstract init(owner: Address, start: u64): void;

  /** Adds to the count and returns the new count. */
  abstract increment(by: u64): u64;

  /** Resets the count to zero. Only the owner may call this. */
  abstract reset(): void;

  /** A view: changes nothing. */
  abstract count(): u64;

  /** A view: changes nothing. */
  abstract owner(): Address;
}
