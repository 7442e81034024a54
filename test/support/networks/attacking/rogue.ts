import { setTimeout as sleep } from 'node:timers/promises';
import type { VoteCertificate } from '../../../../src/generated/mesh.js';
import {
  FRAME_KINDS,
  type FrameKind,
  type FrameSpec,
  type FrameValues,
} from '../../../../src/network/frame-kinds.js';
import { channelOptions, identityCertificate } from '../../../../src/network/secure-channel.js';
import { AttackLink, encodedFrames, type Victim } from './attack-link.js';
import { VoteForge } from './vote-forge.js';

/** Interval of paced writes; a burst of one interval is far below every kind's burst. */
const PACE_MS = 20;
/** Messages of one write: a slow thread does not catch up with the rate. */
const MAX_BURST = 200;
const KEPT_CERTIFICATES = 64;
const KEPT_PROPOSALS = 16;

export interface RogueOptions {
  /** The validator's directory, with the keys to use. */
  readonly directory: string;
  readonly chainId: bigint;
  /** Hash of the genesis block. */
  readonly chain: Uint8Array;
  readonly victims: readonly Victim[];
  readonly maxConnections: number;
}

/** The results of an attack, added up over all victims. */
export interface AttackCounts {
  readonly messages: number;
  readonly bytes: number;
  readonly connections: number;
  /** Connections that the victims ended. */
  readonly ends: number;
}

type Proposal = FrameValues['proposal'];
type Listener = (victim: Victim, spec: FrameSpec, payload: Uint8Array) => void;

/** A validator without a node: it holds the keys, follows the votes of the others, and sends anything. */
export class Rogue {
  readonly forge: VoteForge;
  readonly links: readonly AttackLink[];
  /** The latest certificates of the victims, oldest first. */
  readonly certificates: VoteCertificate[] = [];
  /** The latest proposals of the victims, oldest first. */
  readonly proposals: Proposal[] = [];
  /** The highest view in which a victim has voted. */
  view = 0n;
  isOver = false;
  #messages = 0;
  readonly #listeners: Listener[] = [];

  private constructor(forge: VoteForge, links: (listener: Listener) => readonly AttackLink[]) {
    this.forge = forge;
    this.links = links((victim, spec, payload) => this.#note(victim, spec, payload));
  }

  static async open({ directory, chainId, victims, ...rest }: RogueOptions): Promise<Rogue> {
    const forge = await VoteForge.open(directory, chainId);
    const channel = channelOptions(await identityCertificate(forge.crypto.ed25519, forge.seed));
    const linked = (onMessage: Listener) =>
      victims.map((victim) => new AttackLink({ victim, channel, chainId, onMessage, ...rest }));
    return new Rogue(forge, linked);
  }

  onMessage(listener: Listener): void {
    this.#listeners.push(listener);
  }

  get counts(): AttackCounts {
    const total = (of: (link: AttackLink) => number) => this.links.reduce((sum, link) => sum + of(link), 0);
    return {
      messages: this.#messages,
      bytes: total(({ sentBytes }) => sentBytes),
      connections: total(({ connections }) => connections),
      ends: total(({ ends }) => ends),
    };
  }

  async send<K extends FrameKind>(link: AttackLink, kind: K, value: FrameValues[K]): Promise<void> {
    await this.write(link, encodedFrames(kind, value));
  }

  async broadcast<K extends FrameKind>(kind: K, value: FrameValues[K]): Promise<void> {
    const bytes = encodedFrames(kind, value);
    await Promise.all(this.links.map((link) => this.write(link, bytes)));
  }

  /** Writes the bytes of a number of messages. */
  async write(link: AttackLink, bytes: Uint8Array, messages = 1): Promise<void> {
    if (await link.write(bytes)) this.#messages += messages;
  }

  /** Counts a message sent on a connection other than the links. */
  count(): void {
    this.#messages++;
  }

  /** Runs an attack on each link until the end or until the link has no connection left. */
  async onEachLink(run: (link: AttackLink) => Promise<void>): Promise<void> {
    await Promise.all(
      this.links.map(async (link) => {
        while (!this.isOver && (await link.opened()) && !this.isOver) {
          await run(link);
          // Yields even if the run wrote nothing.
          await sleep(0);
        }
      }),
    );
  }

  /**
   * Sends messages of one kind to each victim at a share of the rate that the kind allows.
   * @param next the encoded payload of a message
   */
  async atRate(kind: FrameKind, share: number, next: (count: number) => Buffer): Promise<void> {
    const { rate } = FRAME_KINDS[kind];
    await this.onEachLink(async (link) => {
      const began = performance.now();
      for (let count = 0, bytes = 0; !this.isOver && link.isOpen; ) {
        const seconds = (performance.now() - began + PACE_MS) / 1_000;
        const chunk: Buffer[] = [];
        while (
          count < rate.framesPerSecond * share * seconds &&
          bytes < rate.bytesPerSecond * share * seconds &&
          chunk.length < MAX_BURST
        ) {
          const frames = next(count++);
          bytes += frames.length;
          chunk.push(frames);
        }
        if (chunk.length > 0) await this.write(link, Buffer.concat(chunk), chunk.length);
        await sleep(PACE_MS);
      }
    });
  }

  /** Waits until a victim's vote shows the view. */
  async located(): Promise<bigint> {
    while (!this.isOver && this.view === 0n) await sleep(10);
    return this.view;
  }

  stop(): void {
    this.isOver = true;
    for (const link of this.links) link.stop();
  }

  #note(victim: Victim, spec: FrameSpec, payload: Uint8Array): void {
    if (spec.kind === 'proposal') {
      const proposal = FRAME_KINDS.proposal.codec.decode(payload);
      keep(this.proposals, proposal, KEPT_PROPOSALS);
      this.#advance(proposal.vote.view);
    } else if (spec.kind === 'vote') {
      this.#advance(FRAME_KINDS.vote.codec.decode(payload).view);
    } else if (spec.kind === 'certificate') {
      keep(this.certificates, FRAME_KINDS.certificate.codec.decode(payload), KEPT_CERTIFICATES);
    }
    for (const listener of this.#listeners) listener(victim, spec, payload);
  }

  #advance(view: bigint): void {
    if (view > this.view) this.view = view;
  }
}

function keep<T>(list: T[], item: T, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}
