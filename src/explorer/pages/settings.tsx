import { useState } from 'preact/hooks';
import { KeySection } from '../keys/key-section.js';
import { isTokenKept, nodeUrl, token, useToken } from '../node/connection.js';
import { pollNow } from '../node/live.js';
import { Fact, Facts, Section } from '../parts/layout.js';
import { Badge } from '../parts/status.js';
import { Heading } from './heading.js';
import { chooseTheme, THEMES, theme } from './theme.js';

export function SettingsPage() {
  return (
    <>
      <Heading title="Settings" />
      <KeySection />
      <TokenSection />
      <Section title="Appearance">
        <fieldset class="choices">
          <legend>Colours</legend>
          {THEMES.map((name) => (
            <label key={name} class="check">
              <input
                type="radio"
                name="theme"
                checked={theme.value === name}
                onChange={() => chooseTheme(name)}
              />{' '}
              {name === 'system' ? 'as the system' : name}
            </label>
          ))}
        </fieldset>
      </Section>
    </>
  );
}

/** Tokens are printable ASCII without spaces, as HTTP headers require. */
const TOKEN_FORM = /^[\x21-\x7e]{1,4096}$/;

function TokenSection() {
  const [text, setText] = useState('');
  const [keep, setKeep] = useState(isTokenKept());
  const [isWrong, setWrong] = useState(false);
  const current = token.value;
  const save = () => {
    const trimmed = text.trim();
    setWrong(!TOKEN_FORM.test(trimmed));
    if (!TOKEN_FORM.test(trimmed)) return;
    useToken(trimmed, keep);
    setText('');
    pollNow();
  };
  const forget = () => {
    useToken(undefined, false);
    setKeep(false);
    pollNow();
  };
  return (
    <Section title="Access token">
      <p>
        Some nodes ask for a token for paid methods, such as views, simulations and traces. The token is sent
        only to this node.
      </p>
      <Facts>
        <Fact name="Node">
          <span class="mono break">{nodeUrl()}</span>
        </Fact>
        <Fact name="Token">
          <Badge
            tone={current === undefined ? 'plain' : 'good'}
            text={current === undefined ? 'none' : 'in use'}
          />
        </Fact>
      </Facts>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div class="field">
          <label for="token">Bearer token</label>
          <input
            id="token"
            type="password"
            value={text}
            autocomplete="off"
            spellcheck={false}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'token-mistake' : undefined}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          {isWrong && (
            <p class="mistake" id="token-mistake" role="alert">
              A token has no spaces and only ASCII characters.
            </p>
          )}
        </div>
        <p>
          <label class="check">
            <input
              type="checkbox"
              checked={keep}
              onChange={(event) => setKeep(event.currentTarget.checked)}
            />{' '}
            Keep the token in this tab until it is closed
          </label>
        </p>
        <p class="actions">
          <button type="submit" class="primary">
            Use this token
          </button>
          {current !== undefined && (
            <button type="button" onClick={forget}>
              Forget the token
            </button>
          )}
        </p>
      </form>
    </Section>
  );
}
