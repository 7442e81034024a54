import { isAscii } from 'node:buffer';
import type { Sliced } from '../../async/sliced-work.js';
import {
  bodyText,
  expectUtf8,
  type ParseLimits,
  type RpcBody,
  readRequests,
  type TakesRawParams,
} from './json-rpc.js';
import { JsonScan } from './json-scan.js';
import { JsonText } from './json-text.js';

const SLICE_BYTES = 64 * 1024;
const SLICE_CHARACTERS = 32 * 1024;
/** Longer objects and arrays are left unparsed. */
const MAX_PARSED_CHARACTERS = 64 * 1024;

/** Parses a body of any length in slices. @throws RpcError as `parseRpcBody` */
export function* bodyInSlices(
  body: Uint8Array,
  limits: ParseLimits,
  takesRawParams: TakesRawParams,
): Sliced<RpcBody> {
  const source = yield* textInSlices(body);
  const scan = new JsonScan(source, 0, MAX_PARSED_CHARACTERS);
  while (!scan.advance(SLICE_CHARACTERS)) yield;
  yield;
  const text = new JsonText(source, limits.maxNesting, scan.spans);
  return yield* readRequests(text, limits, takesRawParams, scan.entries);
}

function* textInSlices(body: Uint8Array): Sliced<string> {
  if (isAscii(body)) return bodyText(body);
  expectUtf8(body);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    text += decoder.decode(body.subarray(at, at + SLICE_BYTES), { stream: true });
    yield;
  }
  return text;
}
