import { sleep } from '../../async/runtime.js';
import type { EffectOf, Vote, VoteMessage } from '../core/types.js';
import type { CoreInput } from './core-driver.js';
import type { KnownBlocks } from './known-blocks.js';
import type { PeerMessage } from './ports.js';
import type { ShellOptions } from './shell-options.js';
import type { Tasks } from './tasks.js';

/** Delay before retrying an assembly that failed without any invalid partial signature. */
const ASSEMBLE_AGAIN_MS = 1_000;
const SIGN_AGAIN_MS = 100;

export interface VotesOptions
  extends Pick<ShellOptions, 'runtime' | 'signatures' | 'network' | 'evidence' | 'log'> {
  /** Whether this is the only validator, so votes are not sent. */
  readonly isSole: boolean;
  readonly known: Pick<KnownBlocks, 'get'>;
  readonly tasks: Pick<Tasks, 'handleError'>;
  readonly dispatch: (news: CoreInput) => void;
  /** This node's index in the set of the core's epoch. */
  readonly self: () => number;
  readonly isRunning: () => boolean;
}

/** Sends this validator's votes, assembles certificates, and stores evidence of equivocation. */
export class Votes {
  readonly #options: VotesOptions;
  #equivocations = 0;

  constructor(options: VotesOptions) {
    this.#options = options;
  }

  /** Number of conflicting vote pairs with verified signatures since the process started. */
  get equivocations(): number {
    return this.#equivocations;
  }

  /** Signs and sends a vote; a leader's vote is sent together with its block. */
  async send({ message, block, to }: EffectOf<'send_vote'>): Promise<void> {
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

  /** Signs a journaled vote, retrying until it succeeds. */
  async #signed(message: VoteMessage): Promise<Vote | undefined> {
    const { runtime, signatures, tasks, self, isRunning } = this.#options;
    const signer = self();
    while (isRunning()) {
      try {
        return { ...message, signer, ...(await signatures.sign(message)) };
      } catch (error) {
        tasks.handleError(error, 'signing a vote');
        await sleep(runtime, SIGN_AGAIN_MS);
      }
    }
    return undefined;
  }

  /** Assembles a certificate, or reports the signers of invalid partial signatures. */
  async assemble({ message, votes, own }: EffectOf<'assemble'>): Promise<void> {
    const { runtime, signatures, tasks, dispatch } = this.#options;
    const { signature, bad } = await signatures.assemble(message, votes, own).catch((error: unknown) => {
      tasks.handleError(error, 'assembling a certificate');
      return { signature: undefined, bad: [] };
    });
    if (signature !== undefined) dispatch({ type: 'assembled', message, signature });
    if (signature === undefined && bad.length === 0) await sleep(runtime, ASSEMBLE_AGAIN_MS);
    if (signature === undefined || bad.length > 0) {
      dispatch({ type: 'bad_partials', message, signers: bad });
    }
  }

  /** Stores two conflicting votes of one signer if both identity signatures are valid. */
  async keepEvidence({ first, second }: EffectOf<'evidence'>): Promise<void> {
    const { signatures, evidence, network, log } = this.#options;
    const { signer, epoch, view, kind } = second;
    if (![first, second].every((vote) => signatures.isSigned(vote))) {
      network.drop(signer, 'a vote with an invalid identity signature');
      return;
    }
    this.#equivocations++;
    if ((await evidence?.add(first, second)) === true) {
      log.warn({ signer, epoch, view, kind }, 'a validator sent two conflicting votes');
    }
  }
}
