import type { BlockHash } from './types.js';

/** Something that is asked for until it comes or is no longer missed. */
interface Request {
  readonly target: BlockHash | { fromView: number; toView: number };
  /** The peer asked first; the others follow in the order of their index. */
  readonly first: number;
  attempts: number;
  /** The last step in which it was missed. */
  lastStep: number;
}

const CERTIFICATES = 'certificates';

/** What this node is missing. The core says so in each step again; what is not said again when the timer fires is forgotten. */
export class PendingRequests {
  readonly #requests = new Map<string, Request>();

  get size(): number {
    return this.#requests.size;
  }

  /** @returns the request if it is new and is to be sent now */
  block(hash: BlockHash, first: number, turn: number): Request | undefined {
    return this.#upsert(hash, hash, first, turn);
  }

  certificates(fromView: number, toView: number, first: number, turn: number): Request | undefined {
    const known = this.#requests.get(CERTIFICATES);
    if (known !== undefined && typeof known.target !== 'string') {
      known.target.fromView = fromView;
      known.target.toView = toView;
    }
    return this.#upsert(CERTIFICATES, { fromView, toView }, first, turn);
  }

  hasBlock(hash: BlockHash): boolean {
    return this.#requests.has(hash);
  }

  /** It came. */
  blockReceived(hash: BlockHash): void {
    this.#requests.delete(hash);
  }

  /** What is still missed in this step; the rest is forgotten. */
  *outstanding(turn: number): Generator<Request> {
    for (const [key, request] of this.#requests) {
      if (request.lastStep === turn) yield request;
      else this.#requests.delete(key);
    }
  }

  #upsert(key: string, target: Request['target'], first: number, lastStep: number): Request | undefined {
    const known = this.#requests.get(key);
    if (known !== undefined) {
      known.lastStep = lastStep;
      return undefined;
    }
    const request = { target, first, attempts: 0, lastStep };
    this.#requests.set(key, request);
    return request;
  }
}
