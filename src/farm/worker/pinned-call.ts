import type { JsonValue } from '../../idl/json-value.js';
import type { CallLine } from '../../load/calls/call-line.js';
import { memberTexts } from '../../load/result-text.js';
import type { NodeCall } from '../node/farm-node.js';
import type { Pin } from '../run/run-record.js';

/** The method whose state is that of its transaction's place in the chain. */
const PLACED_METHOD = 'chain_traceTransaction';

/** Name of the only parameter of the other methods. */
const WRAPPER = 'args';

/** Pins a call to a block and adds the run's state overrides as JSON text; those of the call win. */
export function pinnedCall(
  { method, params }: Pick<CallLine, 'method' | 'params'>,
  pin: Pin,
  overrides: string | undefined,
): NodeCall {
  if (method === PLACED_METHOD) return { method, params, pin: undefined };
  const members = new Map(memberTexts(unwrapped(params)));
  members.set('at', `{"type":"hash","value":"${pin.hash}"}`);
  if (overrides !== undefined) members.set('overrides', joined(overrides, members.get('overrides')));
  const texts = [...members].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return { method, params: `{${texts.join(',')}}`, pin };
}

/** The parameters without the object under the name of the method's only parameter, in which they may also be sent. */
function unwrapped(params: string): string {
  const members = memberTexts(params);
  const only = members.size === 1 ? members.get(WRAPPER) : undefined;
  return only?.startsWith('{') === true ? only : params;
}

/** Two lists of overrides as one; an address of `own` replaces that of `general`. */
function joined(general: string, own: string | undefined): string {
  if (own === undefined || own === 'null') return general;
  const ownAddresses = new Set(listOf(own).map(addressOf));
  const kept = listOf(general).filter((one) => !ownAddresses.has(addressOf(one)));
  const rest = own.trim().slice(1);
  const texts = kept.map((one) => JSON.stringify(one));
  if (texts.length === 0) return own;
  return rest.trim() === ']' ? `[${texts.join(',')}]` : `[${texts.join(',')},${rest}`;
}

/** The elements of a list; none for another value, which the node refuses. */
function listOf(text: string): readonly JsonValue[] {
  const value = JSON.parse(text) as JsonValue;
  return Array.isArray(value) ? value : [];
}

function addressOf(override: JsonValue): string {
  if (typeof override !== 'object' || override === null || !('address' in override)) return '';
  return String(override['address']).toLowerCase();
}
