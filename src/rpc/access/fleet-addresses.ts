import type { Rate } from '../../async/gcra.js';
import type { AddressRateLimits } from './address-meter.js';
import type { AddressRates } from './address-rates.js';
import type { AddressReports, AddressUse, Cells } from './address-reporter.js';
import { QuotaError } from './quota-store.js';
import type { AddressLoad, SharedAddressLevels } from './shared-quota-store.js';

/** Maximum number of clients in one request, which Redis then works on for a few milliseconds. */
const MAX_BATCH = 1_024;
const MAX_WAITING = 16_384;

interface Counted {
  readonly load: AddressLoad;
  readonly cells: Cells;
}

interface Waiting {
  readonly cells: Cells;
  units: number;
}

export interface FleetAddressesOptions {
  readonly store: SharedAddressLevels;
  /** On the memory that the node's threads share. */
  readonly rates: AddressRates;
  readonly limits: AddressRateLimits;
  /** Called with errors of the store that no caller sees. */
  readonly onFault: (error: unknown, where: string) => void;
}

/**
 * The main thread's part of address rates over a fleet: adds the uses on this node to buckets that all nodes share, and
 * raises the buckets of this node to their levels. Threads go on charging the buckets of the node alone, so no call
 * waits for the store, and while the store is away each node's own rate holds.
 *
 * All nodes together serve a client at most
 *
 *     rate × time + burst + nodes × (burst / 32 + w)
 *
 * units in any time. Here `w` is the most that one node serves the client within a report's delay: a quarter of a second
 * and two round trips to the store. The search of random loads in test/rpc/access/fleet-addresses supports this bound. The
 * following proof gives twice the bracket.
 *
 * Let V be the level of a bucket that all nodes charge at once, without reports. A node serves only while its own bucket
 * is within the burst. That bucket holds at least the shared level at the node's last report, and what the node has served
 * since. V exceeds it only by units of the other nodes: those not reported by then, at most the bracket per node, and those
 * served since, at most `w` per node within the delay of the serving node. Nodes without a report due add less than
 * burst / 32 each.
 *
 * The worst excess is another burst from each node at the same moment. It is a debt: all nodes then refuse until it has
 * leaked.
 *
 * Units count in the shared bucket from their report on: a client that uses up its burst can wait that much longer.
 */
export class FleetAddresses implements AddressReports {
  readonly #options: FleetAddressesOptions;
  /** By client, oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  #sending: Promise<void> | undefined;

  constructor(options: FleetAddressesOptions) {
    this.#options = options;
  }

  /** Never rejects. While the store is away, the uses are dropped. */
  async report(uses: readonly AddressUse[]): Promise<void> {
    for (const { client, cells, units } of uses) {
      const waiting = this.#waiting.get(client);
      if (waiting !== undefined) waiting.units += units;
      else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(client, { cells, units });
    }
    // #send may have found nothing more to send, although its promise has not settled yet.
    while (this.#waiting.size > 0) {
      this.#sending ??= this.#send().finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
    }
  }

  /** Sends one request at a time, until nothing waits. */
  async #send(): Promise<void> {
    const { store, onFault } = this.#options;
    while (this.#waiting.size > 0) {
      if (!store.isUp) {
        this.#waiting.clear();
        return;
      }
      const batch = this.#takeBatch();
      try {
        await this.#count(batch);
      } catch (error) {
        // The loss of the store is reported where it is noticed; the units count on this node alone.
        if (!(error instanceof QuotaError)) onFault(error, 'sharing the rates of addresses');
      }
    }
  }

  #takeBatch(): readonly Counted[] {
    const batch: Counted[] = [];
    for (const [client, { cells, units }] of this.#waiting) {
      if (batch.length === MAX_BATCH) break;
      this.#waiting.delete(client);
      const rate = this.#rateOf(client);
      if (rate !== undefined) batch.push({ load: { client, units, rate }, cells });
    }
    return batch;
  }

  async #count(batch: readonly Counted[]): Promise<void> {
    const { store, rates } = this.#options;
    const marks = batch.map(({ cells }) => rates.mark(cells));
    const levels = await store.addUses(batch.map(({ load }) => load));
    for (const [at, { cells }] of batch.entries()) {
      const [mark, levelNs] = [marks[at], levels[at]];
      if (mark !== undefined && levelNs !== undefined) rates.raise(cells, mark, levelNs);
    }
  }

  #rateOf(client: string): Rate | undefined {
    const { limits } = this.#options;
    return client.startsWith('public ') ? limits.public : limits.paid;
  }
}
