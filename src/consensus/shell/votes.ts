import { sleep } from '../../async/runtime.js';
import type { EffectOf, Vote, VoteMessage } from '../core/types.js';
import type { PeerMessage } from './ports.js';
import type { ShellContext } from './shell-context.js';

/** Delay before retrying an assembly that failed without any invalid partial signature. */
const ASSEMBLE_AGAIN_MS = 1_000;
const SIGN_AGAIN_MS = 100;

/** Sends this validator's votes, assembles certificates, and stores evidence of equivocation. */
export class Votes {
  readonly #context: ShellContext;
  #equivocations = 0;

  constructor(context: ShellContext) {
    this.#context = context;
  }

  /** Number of conflicting vote pairs since the process started. */
  get equivocations(): number {
    return this.#equivocations;
  }

  /** Signs and sends a vote; a leader's vote is sent together with its block. */
  async send({ message, block, to }: EffectOf<'send_vote'>): Promise<void> {
    const { isSole, network, known } = this.#context;
    if (isSole) return;
    const vote = await this.#signed(message);
    if (vote === undefined) return;
    const encoded = block === undefined ? undefined : known.get(block)?.encoded();
    const sent: PeerMessage =
      encoded === undefined ? { type: 'vote', vote } : { type: 'proposal', vote, block: encoded };
    if (to === undefined) network.broadcast(sent);
    else network.send(to, sent);
  }

  /** Signs a journaled vote, retrying until it succeeds. @returns undefined if consensus has ended */
  async #signed(message: VoteMessage): Promise<Vote | undefined> {
    const { runtime, signatures, membership, lifecycle } = this.#context;
    const signer = membership.self;
    while (lifecycle.isRunning) {
      try {
        const { kind, epoch, view, parentView, hash } = message;
        const { partial, signature } = await signatures.sign(message);
        return { kind, epoch, view, parentView, hash, signer, partial, signature };
      } catch (error) {
        lifecycle.handleError(error, 'signing a vote');
        await sleep(runtime, SIGN_AGAIN_MS, lifecycle.stopping);
      }
    }
    return undefined;
  }

  /** Assembles a certificate, or reports the signers of invalid partial signatures. */
  async assemble({ message, votes, own }: EffectOf<'assemble'>): Promise<void> {
    const { runtime, signatures, events, lifecycle } = this.#context;
    const { signature, bad } = await signatures.assemble(message, votes, own).catch((error: unknown) => {
      lifecycle.handleError(error, 'assembling a certificate');
      return { signature: undefined, bad: [] };
    });
    if (signature !== undefined) events.push({ type: 'assembled', message, signature });
    if (signature === undefined && bad.length === 0)
      await sleep(runtime, ASSEMBLE_AGAIN_MS, lifecycle.stopping);
    if (signature === undefined || bad.length > 0) {
      events.push({ type: 'bad_partials', message, signers: bad });
    }
  }

  async keepEvidence({ first, second }: EffectOf<'evidence'>): Promise<void> {
    const { evidence, log } = this.#context;
    const { signer, epoch, view, kind } = second;
    this.#equivocations++;
    if ((await evidence?.add(first, second)) === true) {
      log.warn({ signer, epoch, view, kind }, 'a validator sent two conflicting votes');
    }
  }
}
