import type { DevRecord } from '../../chain/dev-record.js';

/** The clock of a development chain, which controls can set; for block timestamps. */
export class DevClock {
  readonly #wallMs: () => number;
  readonly #record: DevRecord;

  /** @param wallMs the node's clock, milliseconds since 1970 */
  constructor(wallMs: () => number, record: DevRecord) {
    this.#wallMs = wallMs;
    this.#record = record;
  }

  /** Whole milliseconds since 1970. */
  readonly now = (): number => Math.floor(this.#wallMs()) + this.#record.facts.clockLeadMs;

  /** Lets the clock go on from a time. @throws StoreError */
  async set(timeMs: number): Promise<void> {
    await this.#record.write({ clockLeadMs: timeMs - Math.floor(this.#wallMs()) });
  }
}
