import { settled } from './settled-report.js';

/** A client's buckets in the memory of `AddressRates`. */
export type Cells = readonly [first: number, second: number];

interface ClientCells {
  /** A key such as `paid 192.0.2.1`. */
  readonly client: string;
  readonly cells: Cells;
}

/** What one thread has charged to a client and the other nodes do not know yet. */
export interface AddressUse extends ClientCells {
  readonly units: number;
}

export interface CountedClient extends ClientCells {
  /** Charged and not reported; below 0 after the refund of a reported charge. */
  unreported: number;
  isDue: boolean;
}

/** Learns what the threads of this node charge to addresses; on the main thread, or a proxy for it. */
export interface AddressReports {
  /** Resolves when the uses are counted, or dropped because the other nodes cannot learn of them. */
  report(uses: readonly AddressUse[]): Promise<void>;
}

export interface SharedAddresses {
  readonly reports: AddressReports;
  /** Number of threads that charge on this node. */
  readonly threads: number;
}

/** The threads of a node together hold back less than this part of a client's burst. */
const PART_HELD_BACK = 1 / 32;
/** Maximum number of clients that wait for a report. */
const MAX_DUE = 4_096;
/** Longest time from the charge that makes a client due to its report, if the last report is settled. */
export const REPORT_MS = 250;
/** Maximum number of clients in one report. */
const MAX_REPORTED = 1_024;

/** The charges of one thread that other nodes have to learn of, of clients with enough units to be worth a report. */
export class UnreportedUses {
  readonly #due = new Set<CountedClient>();
  readonly #part: number;
  readonly #onDue: () => void;

  constructor(threads: number, onDue: () => void) {
    this.#part = PART_HELD_BACK / threads;
    this.#onDue = onDue;
  }

  get due(): number {
    return this.#due.size;
  }

  /** Counts a charge, or a refund by negative units. */
  add(client: CountedClient, units: number, burst: number): void {
    client.unreported += units;
    if (client.isDue || client.unreported < burst * this.#part || this.#due.size >= MAX_DUE) return;
    client.isDue = true;
    this.#due.add(client);
    this.#onDue();
  }

  /** Takes the uses of the due clients with the most units. The others stay due. */
  take(most: number): readonly AddressUse[] {
    const heaviest = [...this.#due].sort((a, b) => b.unreported - a.unreported).slice(0, most);
    return heaviest.flatMap((due) => {
      const { client, cells, unreported: units } = due;
      this.#due.delete(due);
      due.isDue = false;
      // A refund has undone the charge.
      if (units <= 0) return [];
      due.unreported = 0;
      return [{ client, cells, units }];
    });
  }
}

/** Reports the uses of one thread, the heaviest first and one report at a time. A thread without due clients is idle. */
export class AddressReporter {
  readonly uses: UnreportedUses;
  readonly #reports: AddressReports;
  /** Set from the first due client until its report is settled. */
  #timer: NodeJS.Timeout | undefined;

  constructor({ reports, threads }: SharedAddresses) {
    this.#reports = reports;
    this.uses = new UnreportedUses(threads, () => this.#wait());
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => void this.#send(), REPORT_MS).unref();
  }

  async #send(): Promise<void> {
    const uses = this.uses.take(MAX_REPORTED);
    if (uses.length > 0) await settled(this.#reports.report(uses));
    this.#timer = undefined;
    if (this.uses.due > 0) this.#wait();
  }
}
