import { Address, addU64, Cell, caller, require } from "heddle";
import { CounterInterface, emit, fail } from "../generated/counter";

/** Implements counter.idl. */
export class Counter extends CounterInterface {
  // The numbers are storage fields. Never reuse one for another value while the contract lives.
  private readonly ownerCell: Cell<Address> = new Cell<Address>(0);
  private readonly countCell: Cell<u64> = new Cell<u64>(1);

  init(owner: Address, start: u64): void {
    this.ownerCell.set(owner);
    this.countCell.set(start);
  }

  increment(by: u64): u64 {
    require(by > 0, "count on by at least one");
    const count = addU64(this.countCell.get(), by);
    this.countCell.set(count);
    emit.Counted(caller(), count);
    return count;
  }

  reset(): void {
    const sender = caller();
    if (sender != this.ownerCell.get()) fail.NotOwner(sender);
    this.countCell.set(0);
    emit.Counted(sender, 0);
  }

  count(): u64 {
    return this.countCell.get();
  }

  owner(): Address {
    return this.ownerCell.get();
  }
}
