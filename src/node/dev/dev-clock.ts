import type { ChainClock } from '../../chain/chain-clock.js';
import type { DevRecord } from '../../chain/dev-record.js';

/** Sets the clock of a development chain; keeps its lead in the store. */
export class DevClock {
  /** The chain's clock, whole milliseconds since 1970. */
  readonly now: () => number;
  readonly #clock: ChainClock;
  readonly #record: DevRecord;

  /** Gives the clock the lead in the record. */
  constructor(clock: ChainClock, record: DevRecord) {
    this.now = clock.now;
    this.#clock = clock;
    this.#record = record;
    clock.setLead(record.facts.clockLeadMs);
  }

  /** Lets the clock go on from a time. @throws StoreError */
  async set(timeMs: number): Promise<void> {
    const clockLeadMs = this.#clock.leadAt(timeMs);
    this.#clock.setLead(clockLeadMs);
    await this.#record.write({ clockLeadMs });
  }
}
