import type { Action } from '../generated/ledger.js';
import { readJsonAction, writeJsonAction } from '../generated/ledger-codecs.js';
import { CodecState } from '../idl/codecs/codec.js';
import { holdsText, TextJsonWriter, type TextOrBytes } from '../idl/codecs/text-json-writer.js';
import { ledger } from '../ledger/codecs.js';
import { encoded } from './checked-arguments.js';

/** An action; its addresses and other bytes may be hex text. */
export type ActionLike = TextOrBytes<Action>;

const { jsonReader } = new CodecState();
const jsonWriter = new TextJsonWriter();

/** Checks an action, and converts its hex text to bytes. @throws ClientError `bad_argument` naming the member */
export function actionBytes(action: ActionLike): Action {
  return encoded('', () => {
    if (!holdsText(action)) {
      ledger.Action.encodeTransient(action as Action);
      return action as Action;
    }
    jsonWriter.begin();
    jsonReader.begin();
    const text = writeJsonAction(jsonWriter, action as Action, 'action');
    return readJsonAction(jsonReader, JSON.parse(text), 'action');
  });
}
