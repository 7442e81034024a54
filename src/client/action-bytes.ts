import type { Action } from '../generated/ledger.js';
import { readJsonAction, writeJsonAction } from '../generated/ledger-codecs.js';
import { CodecState } from '../idl/codecs/codec.js';
import { JsonDecodeError, JsonEncodeError } from '../idl/codecs/codec-errors.js';
import { holdsText, TextJsonWriter, type TextOrBytes } from '../idl/codecs/text-json-writer.js';
import { ClientError } from './client-error.js';

/** An action; its addresses and other bytes may be hex text. */
export type ActionLike = TextOrBytes<Action>;

const { jsonReader } = new CodecState();
const jsonWriter = new TextJsonWriter();

/**
 * Converts the hex text in an action to bytes.
 * @throws ClientError `bad_argument` naming the member with the wrong type
 */
export function actionBytes(action: ActionLike): Action {
  if (!holdsText(action)) return action as Action;
  try {
    jsonWriter.begin();
    jsonReader.begin();
    const text = writeJsonAction(jsonWriter, action as Action, 'action');
    return readJsonAction(jsonReader, JSON.parse(text), 'action');
  } catch (error) {
    if (!(error instanceof JsonEncodeError) && !(error instanceof JsonDecodeError)) throw error;
    throw new ClientError('bad_argument', error.message, { cause: error });
  }
}
