import { setTimeout as pause } from 'node:timers/promises';
import type { Effect, Vote, VoteMessage } from '../core/types.js';
import type { CoreInput } from './core-driver.js';
import type { KnownBlocks } from './known-blocks.js';
import type { PeerMessage } from './ports.js';
import type { ShellOptions } from './shell-options.js';
import type { Tasks } from './tasks.js';

/** How long until a certificate is tried again that could not be made through no vote's fault. */
const ASSEMBLE_AGAIN_MS = 1_000;
const SIGN_AGAIN_MS = 100;

type Of<T extends Effect['type']> = Extract<Effect, { readonly type: T }>;

export interface VotesOptions extends Pick<ShellOptions, 'signatures' | 'network' | 'evidence' | 'log'> {
  /** Whether there is nobody to send votes to. */
  readonly isSole: boolean;
  readonly known: Pick<KnownBlocks, 'get'>;
  readonly tasks: Pick<Tasks, 'handleError'>;
  readonly dispatch: (news: CoreInput) => void;
  /** This node's index in the set of the core's epoch. */
  readonly self: () => number;
  readonly isRunning: () => boolean;
}

/** Sends this validator's votes, makes certificates of a quorum's, and keeps pairs that no honest validator gives. */
export class Votes {
  readonly #options: VotesOptions;
  #equivocations = 0;

  constructor(options: VotesOptions) {
    this.#options = options;
  }

  /** Pairs whose signatures were checked, since the start of the process. */
  get equivocations(): number {
    return this.#equivocations;
  }

  /** Signs a vote and sends it, a leader's with its block. */
  async send({ message, block, to }: Of<'send_vote'>): Promise<void> {
    const { isSole, network, known } = this.#options;
    if (isSole) return;
    const vote = await this.#signed(message);
    if (vote === undefined) return;
    const encoded = block === undefined ? undefined : known.get(block)?.encoded();
    const sent: PeerMessage =
      encoded === undefined ? { type: 'vote', vote } : { type: 'proposal', vote, block: encoded };
    if (to === undefined) network.broadcast(sent);
    else network.send(to, sent);
  }

  /** What is in the journal is to be sent: where it cannot be signed at once it is a little later. */
  async #signed(message: VoteMessage): Promise<Vote | undefined> {
    const { signatures, tasks, self, isRunning } = this.#options;
    const signer = self();
    while (isRunning()) {
      try {
        return { ...message, signer, ...(await signatures.sign(message)) };
      } catch (error) {
        tasks.handleError(error, 'signing a vote');
        await pause(SIGN_AGAIN_MS);
      }
    }
    return undefined;
  }

  /** Makes a certificate, or says whose part of it is not good. */
  async assemble({ message, votes, own }: Of<'assemble'>): Promise<void> {
    const { signatures, tasks, dispatch } = this.#options;
    const { signature, bad } = await signatures.assemble(message, votes, own).catch((error: unknown) => {
      tasks.handleError(error, 'making a certificate');
      return { signature: undefined, bad: [] };
    });
    if (signature !== undefined) dispatch({ type: 'assembled', message, signature });
    if (signature === undefined && bad.length === 0) await pause(ASSEMBLE_AGAIN_MS);
    if (signature === undefined || bad.length > 0) {
      dispatch({ type: 'bad_partials', message, signers: bad });
    }
  }

  /** Keeps two votes of one signer, if both are signed. */
  async keepEvidence({ first, second }: Of<'evidence'>): Promise<void> {
    const { signatures, evidence, network, log } = this.#options;
    const { signer, epoch, view, kind } = second;
    if (![first, second].every((vote) => signatures.isSigned(vote))) {
      network.drop(signer, 'a vote without a good identity signature');
      return;
    }
    this.#equivocations++;
    if ((await evidence?.add(first, second)) === true) {
      log.warn({ signer, epoch, view, kind }, 'a validator gave two votes of which an honest one gives one');
    }
  }
}
