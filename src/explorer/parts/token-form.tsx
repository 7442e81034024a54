import { useId, useState } from 'preact/hooks';
import { isTokenKept, useToken } from '../node/connection.js';

/** Tokens are printable ASCII without spaces, as HTTP headers require. */
const TOKEN_FORM = /^[\x21-\x7e]{1,4096}$/;

/** Asks for the bearer token of the page's calls. @param onUse called once another token is in use */
export function TokenForm({ onUse }: { readonly onUse?: (() => void) | undefined }) {
  const id = useId();
  const [text, setText] = useState('');
  const [keep, setKeep] = useState(isTokenKept());
  const [isWrong, setWrong] = useState(false);
  const save = () => {
    const trimmed = text.trim();
    setWrong(!TOKEN_FORM.test(trimmed));
    if (!TOKEN_FORM.test(trimmed)) return;
    useToken(trimmed, keep);
    setText('');
    onUse?.();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div class="field">
        <label for={id}>Bearer token</label>
        <input
          id={id}
          type="text"
          class="secret"
          value={text}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-mistake` : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {isWrong && (
          <p class="mistake" id={`${id}-mistake`} role="alert">
            A token has no spaces and only ASCII characters.
          </p>
        )}
      </div>
      <p>
        <label class="check">
          <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />{' '}
          Keep the token in this tab until it is closed
        </label>
      </p>
      <p class="actions">
        <button type="submit" class="primary">
          Use this token
        </button>
      </p>
    </form>
  );
}
