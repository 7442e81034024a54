import { Address, blockTimestampMs, Cell, caller, Mapping, self, send, U128, value } from "heddle";
import { Deal, DealState, EscrowInterface, emit, fail } from "../generated/escrow";

/** Implements escrow.idl. */
export class Escrow extends EscrowInterface {
  private readonly count: Cell<u64> = new Cell<u64>(0);
  private readonly deals: Mapping<u64, Deal> = new Mapping<u64, Deal>(1);
  private readonly heldCell: Cell<U128> = new Cell<U128>(2);

  open(payee: Address, arbiter: Address, deadlineMs: u64): u64 {
    const payer = caller();
    const amount = value();
    if (amount.isZero) fail.NothingSent();
    const lost = payee.isZero || payee == self() || payee == payer;
    // A party that is also the arbiter could settle alone.
    if (lost || arbiter == payer || arbiter == payee) fail.InvalidParties(payer, payee, arbiter);
    const now = blockTimestampMs();
    if (deadlineMs <= now) fail.DeadlinePassed(deadlineMs, now);
    const id = this.count.get();
    this.count.set(id + 1);
    this.heldCell.set(this.heldCell.get() + amount);
    this.deals.set(id, new Deal(payer, payee, arbiter, amount, deadlineMs, DealState.Open()));
    emit.Opened(id, payer, payee, arbiter, amount, deadlineMs);
    return id;
  }

  release(id: u64): void {
    const deal = this.openDeal(id);
    const sender = caller();
    if (sender != deal.payer && !isArbiter(deal, sender)) fail.NotAllowed(id, sender);
    this.settle(id, deal, DealState.Released());
    emit.Released(id, deal.payee, deal.amount, sender);
    send(deal.payee, deal.amount);
  }

  refund(id: u64): void {
    const deal = this.openDeal(id);
    const sender = caller();
    const isLate = sender == deal.payer && blockTimestampMs() > deal.deadline_ms;
    if (!isLate && sender != deal.payee && !isArbiter(deal, sender)) fail.NotAllowed(id, sender);
    this.settle(id, deal, DealState.Refunded());
    emit.Refunded(id, deal.payer, deal.amount, sender);
    send(deal.payer, deal.amount);
  }

  deal(id: u64): Deal {
    const found = this.deals.find(id);
    if (found.isNone) fail.UnknownDeal(id);
    return found.value;
  }

  deal_count(): u64 {
    return this.count.get();
  }

  held(): U128 {
    return this.heldCell.get();
  }

  private openDeal(id: u64): Deal {
    const deal = this.deal(id);
    if (!deal.state.isOpen) fail.AlreadySettled(id, deal.state);
    return deal;
  }

  private settle(id: u64, deal: Deal, state: DealState): void {
    deal.state = state;
    this.deals.set(id, deal);
    this.heldCell.set(this.heldCell.get() - deal.amount);
  }
}

function isArbiter(deal: Deal, who: Address): bool {
  return !deal.arbiter.isZero && who == deal.arbiter;
}
