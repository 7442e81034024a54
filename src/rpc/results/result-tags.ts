import { createHash } from 'node:crypto';
import type { Caller } from '../../async/caller.js';
import type { Sliced, SlicedWork } from '../../async/sliced-work.js';
import { sliceEnd } from '../text-slices.js';
import type { KeptResult } from './result-cache.js';

/**
 * The ETags of results: strong ones, made from a hash of the text. A hash of a long text is computed in slices, and that of
 * a kept result only once, so that a request for it costs nothing that grows with its length.
 */
export class ResultTags {
  readonly #work: SlicedWork;

  constructor(work: SlicedWork) {
    this.#work = work;
  }

  /** @throws CallerGoneError */
  of(json: string, caller: Caller): Promise<string> {
    return this.#work.run(tagInSlices(json), caller);
  }

  /** @param client the client to which the first computation is charged */
  ofKept(kept: KeptResult, client: string): Promise<string> {
    // Others wait for the tag too, so it is computed even if the first caller hangs up.
    kept.tag ??= this.of(kept.json, { client, isGone: false });
    return kept.tag;
  }
}

function* tagInSlices(json: string): Sliced<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < json.length; ) {
    const end = sliceEnd(json, at);
    hash.update(json.slice(at, end));
    at = end;
    if (at < json.length) yield;
  }
  return `"${hash.digest('base64url')}"`;
}
