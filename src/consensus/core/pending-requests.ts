import type { BlockHash } from './types.js';

interface Request {
  readonly target: BlockHash | { fromView: number; toView: number };
  /** The peer asked first; the others follow in index order. */
  readonly first: number;
  attempts: number;
  /** The last step in which the target was missing. */
  lastStep: number;
}

const CERTIFICATES = 'certificates';

/** Requests for missing data. Each step renews those it needs; the retry timer drops the others. */
export class PendingRequests {
  readonly #requests = new Map<string, Request>();

  /** @returns the request if it is new and must be sent now */
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

  blockReceived(hash: BlockHash): void {
    this.#requests.delete(hash);
  }

  /** Requests renewed in this step; the rest are dropped. */
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
