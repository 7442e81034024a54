import { decodeAnswers, type WireCall, type WireOutcome } from '../client/json-rpc.js';
import type { TransportAnswer } from '../client/transport.js';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  JsonText,
  OPEN_BRACE,
  OPEN_BRACKET,
} from '../rpc/json/json-text.js';

/** A result in the node's own text, to be passed on unchanged. */
export interface ResultText {
  /** Valid JSON on one line. Keeps integers of any length exact, unlike {@link value}. */
  readonly text: string;
  readonly value: unknown;
}

/**
 * Like `decodeAnswers`, and adds each result's text.
 * @throws ClientError `bad_answer` if the text is not a JSON-RPC answer
 */
export function decodeResultTexts(
  calls: readonly WireCall[],
  answer: TransportAnswer,
): readonly WireOutcome<ResultText>[] {
  // Checks the syntax: the scan below assumes valid JSON.
  const outcomes = decodeAnswers(calls, answer);
  const texts = textsById(answer.text);
  return outcomes.map((outcome, place) => {
    if (!outcome.ok) return outcome;
    const { result: value } = outcome;
    const text = texts.get(String(calls[place]?.id)) ?? JSON.stringify(value);
    return { ok: true, result: { text: inOneLine(text, value), value } };
  });
}

/** The members of an object as JSON text, in order. @param text a valid JSON object */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const json = new JsonText(text, Number.POSITIVE_INFINITY);
  return membersAt(json);
}

/** The result texts by the JSON text of their ids. */
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

/** If a name occurs more than once, the last member wins, as with `JSON.parse`. */
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

/** Valid JSON has line breaks only between values, never inside strings. */
function inOneLine(text: string, value: unknown): string {
  return text.includes('\n') || text.includes('\r') ? JSON.stringify(value) : text;
}
