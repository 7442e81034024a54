import { decodeAnswers, type WireCall, type WireOutcome } from '../client/json-rpc.js';
import type { TransportAnswer } from '../client/transport.js';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET } from '../rpc/json/json-characters.js';
import { JsonText } from '../rpc/json/json-text.js';

/** A result as the node wrote it, for those who pass it on. */
export interface ResultText {
  /** Valid JSON in one line. Integers are whole, however long, which they are not in {@link value}. */
  readonly text: string;
  /** The same, parsed. */
  readonly value: unknown;
}

/**
 * As `decodeAnswers`, with each result's own text beside it.
 * @throws ClientError `bad_answer` where the text is no JSON-RPC answer
 */
export function decodeResultTexts(
  calls: readonly WireCall[],
  answer: TransportAnswer,
): readonly WireOutcome<ResultText>[] {
  // Parses everything, so that what follows walks over valid JSON.
  const outcomes = decodeAnswers(calls, answer);
  const texts = textsById(answer.text);
  return outcomes.map((outcome, place) => {
    if (!outcome.ok) return outcome;
    const { result: value } = outcome;
    const text = texts.get(String(calls[place]?.id)) ?? JSON.stringify(value);
    return { ok: true, result: { text: inOneLine(text, value), value } };
  });
}

/**
 * The members of an object, each as its text, in their order.
 * @param text valid JSON, an object
 */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const json = new JsonText(text, Number.POSITIVE_INFINITY);
  return membersAt(json);
}

/** The text of each answer's result by the text of its id. */
function textsById(text: string): ReadonlyMap<string, string> {
  const json = new JsonText(text, Number.POSITIVE_INFINITY);
  const texts = new Map<string, string>();
  const isBatch = json.next() === OPEN_BRACKET;
  if (isBatch) json.at++;
  while (json.next() === OPEN_BRACE) {
    const members = membersAt(json);
    const [id, result] = [members.get('id'), members.get('result')];
    if (id !== undefined && result !== undefined) texts.set(id, result);
    if (!isBatch || json.next() === CLOSE_BRACKET) break;
    json.at++;
  }
  return texts;
}

/** Of several members of one name the last counts, as with `JSON.parse`. */
function membersAt(json: JsonText): Map<string, string> {
  const members = new Map<string, string>();
  json.next();
  json.at++;
  while (json.next() !== CLOSE_BRACE) {
    const name = json.name();
    const start = json.startOfValue();
    json.skipValue();
    members.set(name, json.source.slice(start, json.at));
    if (json.next() === COMMA) json.at++;
  }
  json.at++;
  return members;
}

/** Line ends stand in no string of JSON, only between values. */
function inOneLine(text: string, value: unknown): string {
  return text.includes('\n') || text.includes('\r') ? JSON.stringify(value) : text;
}
