import type { PeerMessage } from '../shell/ports.js';
import type { World } from './world.js';

/** Time that a starting validator waits for connected peers that stay silent, in virtual milliseconds. */
const PATIENCE_MS = 5_000;
/** Time within which a report is checked, and time that the start of a process may take. */
const SETTLED_MS = 1_000;

/** The positions that one process of an honest validator has heard from its peers since its start (rule 9). */
export class ListeningWatch {
  readonly #world: World;
  readonly #startedMs: number;
  /** Peers that have reported their position, by epoch. */
  readonly #reports = new Map<number, Set<number>>();
  /** Peers whose reports surely count in the current epoch. */
  readonly #heard = new Set<number>();
  readonly #connected: ReadonlyMap<number, unknown>;
  /** Since when enough peers have been connected; undefined if they are not. */
  #enoughSinceMs: number | undefined;
  #endedMs = Number.POSITIVE_INFINITY;

  /** @param connected the connected peers */
  constructor(world: World, connected: ReadonlyMap<number, unknown>) {
    this.#world = world;
    this.#connected = connected;
    this.#startedMs = world.nowMs;
  }

  hasReport(peer: number, epoch: number): boolean {
    return this.#reports.get(epoch)?.has(peer) === true;
  }

  /** Whether the process can have ended its listening: enough peers have reported, or it has waited for them. */
  get canHaveEnded(): boolean {
    return this.#world.nowMs - this.#startedMs >= PATIENCE_MS || this.hasEnoughReports;
  }

  /** Whether enough peers have reported their position in one epoch. */
  get hasEnoughReports(): boolean {
    return Math.max(0, ...[...this.#reports.values()].map(({ size }) => size)) >= this.#others;
  }

  /** Whether the process has surely ended its listening. */
  get hasEnded(): boolean {
    this.#endPatience();
    return this.#world.nowMs >= this.#endedMs;
  }

  onEpoch(): void {
    this.#heard.clear();
    this.#restart();
  }

  onConnections(isGained: boolean): void {
    this.#endPatience();
    if (!isGained) this.#restart();
    this.#enoughSinceMs =
      this.#connected.size < this.#others ? undefined : (this.#enoughSinceMs ?? this.#world.nowMs);
    this.#compare();
  }

  /** @param readyIn epoch of the messages that the process surely handles */
  onReceive(from: number, message: PeerMessage, readyIn: number | undefined): void {
    const epoch =
      message.type === 'certificate'
        ? message.certificate.epoch
        : message.type === 'get_certificates'
          ? message.epoch
          : undefined;
    if (epoch === undefined) return;
    const reports = this.#reports.get(epoch) ?? new Set();
    this.#reports.set(epoch, reports.add(from));
    if (epoch !== readyIn || !this.#isSure(from, message)) return;
    this.#heard.add(from);
    this.#compare();
  }

  /** Notes a vote that the process signs, and no process before. */
  onNewVote(): void {
    this.#endBy(this.#world.nowMs);
  }

  /** Whether a report surely counts: a certificate does once its check has found it valid. */
  #isSure(from: number, { type }: PeerMessage): boolean {
    if (type === 'get_certificates') return true;
    const { isStable, scenario } = this.#world;
    // Certificates that follow an invalid one are skipped.
    return (
      this.#world.isHonest(from) && (isStable || (scenario.signFailure === 0 && scenario.signStall === 0))
    );
  }

  /** Expects the end soon once enough connected peers have reported. */
  #compare(): void {
    if (this.hasEnded) return;
    const heard = [...this.#heard].filter((peer) => this.#connected.has(peer));
    if (heard.length >= this.#others) this.#endBy(this.#world.nowMs + SETTLED_MS);
  }

  /** Forgets an end that is still to come: a report may not have been checked yet. */
  #restart(): void {
    if (!this.hasEnded) this.#endedMs = Number.POSITIVE_INFINITY;
  }

  /** Notes that enough peers have been connected for longer than it waits. */
  #endPatience(): void {
    const endMs = (this.#enoughSinceMs ?? Number.POSITIVE_INFINITY) + PATIENCE_MS + SETTLED_MS;
    if (this.#world.nowMs >= endMs) this.#endBy(endMs);
  }

  #endBy(ms: number): void {
    this.#endedMs = Math.min(this.#endedMs, ms);
  }

  get #others(): number {
    return this.#world.quorum - 1;
  }
}
