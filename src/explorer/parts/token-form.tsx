import { useState } from 'preact/hooks';
import { isTokenKept, useToken } from '../node/connection.js';
import { Check, Form, LineInput, useLine } from './controls.js';

/** Tokens are printable ASCII without spaces, as HTTP headers require. */
const TOKEN_FORM = /^[\x21-\x7e]{1,4096}$/;

/** Asks for the bearer token of the page's calls. @param onUse called once another token is in use */
export function TokenForm({ onUse }: { readonly onUse?: (() => void) | undefined }) {
  const line = useLine('token');
  const [keep, setKeep] = useState(isTokenKept());
  const [isWrong, setWrong] = useState(false);
  const save = () => {
    const trimmed = line.value.trim();
    setWrong(!TOKEN_FORM.test(trimmed));
    if (!TOKEN_FORM.test(trimmed)) return;
    useToken(trimmed, keep);
    line.onChange('');
    onUse?.();
  };
  const mistake = { path: line.path, message: 'A token has no spaces and only ASCII characters.' };
  return (
    <Form onSubmit={save}>
      <LineInput {...line} label="Bearer token" mistake={isWrong ? mistake : undefined} isSecret />
      <p>
        <Check checked={keep} onChange={setKeep}>
          Keep the token in this tab until it is closed
        </Check>
      </p>
      <p class="actions">
        <button type="submit" class="primary">
          Use this token
        </button>
      </p>
    </Form>
  );
}
