import { useState } from 'preact/hooks';
import { ClientError, devPrivateKey, type KeyScheme } from '../../client/client.js';
import { DEV_ACCOUNTS } from '../keys/dev-accounts.js';
import {
  forgetKey,
  generateKey,
  type HeldKey,
  heldKey,
  isKeyKept,
  keepKey,
  useKey,
} from '../keys/key-store.js';
import { PrivateKeyError, parsePrivateKey } from '../keys/private-key.js';
import { status } from '../node/live.js';
import { CopyButton } from '../parts/copy.js';
import { AddressHex } from '../parts/hex.js';
import { Fact, Facts, Section } from '../parts/layout.js';

/** The id of development chains; their accounts' keys are public. */
const DEV_CHAIN_ID = 9_545n;

/** Chooses the key that signs transactions. */
export function KeySection() {
  const key = heldKey.value;
  return (
    <Section title="Signing key">
      <p>
        The key signs transactions in this page and is never sent. It stays in memory until you close or
        reload the page, unless you keep it for this tab.
      </p>
      {key === undefined ? <ChooseKey /> : <CurrentKey of={key} />}
    </Section>
  );
}

function CurrentKey({ of }: { readonly of: HeldKey }) {
  const [kept, setKept] = useState(isKeyKept());
  const [shown, setShown] = useState(false);
  return (
    <>
      <Facts>
        <Fact name="Address">
          <AddressHex of={of.signer.address} copy long />
        </Fact>
        <Fact name="Scheme">
          {of.signer.scheme}, {of.origin}
        </Fact>
        <Fact name="Private key">
          {shown ? (
            <span class="hex">
              <span class="mono break">{of.secret}</span>
              <CopyButton text={of.secret} what="private key" />
            </span>
          ) : (
            <button type="button" onClick={() => setShown(true)}>
              Show the private key
            </button>
          )}
        </Fact>
      </Facts>
      <p>
        <label class="check">
          <input
            type="checkbox"
            checked={kept}
            onChange={(event) => {
              keepKey(event.currentTarget.checked);
              setKept(event.currentTarget.checked);
            }}
          />{' '}
          Keep the key in this tab until it is closed
        </label>
      </p>
      <p class="actions">
        <button type="button" onClick={forgetKey}>
          Forget the key
        </button>
      </p>
    </>
  );
}

function ChooseKey() {
  const [scheme, setScheme] = useState<KeyScheme>('ed25519');
  const [text, setText] = useState('');
  const [mistake, setMistake] = useState<string>();
  const use = () => {
    try {
      useKey(scheme, parsePrivateKey(text), 'entered here');
      setText('');
    } catch (error) {
      if (!(error instanceof PrivateKeyError) && !(error instanceof ClientError)) throw error;
      setMistake(error.message);
    }
  };
  const isDevelopment = status.value?.chain_id === DEV_CHAIN_ID;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        use();
      }}
    >
      {isDevelopment && (
        <div class="field">
          <label for="dev-account">Development account</label>
          <select
            id="dev-account"
            value=""
            onChange={(event) => {
              const { value } = event.currentTarget;
              if (value !== '') {
                useKey('ed25519', devPrivateKey(Number(value)), `development account ${value}`);
              }
            }}
          >
            <option value="">Choose one…</option>
            {Array.from({ length: DEV_ACCOUNTS }, (_, index) => (
              <option key={index} value={String(index)}>
                Account {index}
              </option>
            ))}
          </select>
          <p class="muted">The keys of these accounts are public.</p>
        </div>
      )}
      <div class="field">
        <label for="key-scheme">Scheme</label>
        <select
          id="key-scheme"
          value={scheme}
          onChange={(event) => setScheme(event.currentTarget.value === 'secp256k1' ? 'secp256k1' : 'ed25519')}
        >
          <option value="ed25519">ed25519</option>
          <option value="secp256k1">secp256k1</option>
        </select>
      </div>
      <div class="field">
        <label for="private-key">Private key</label>
        <input
          id="private-key"
          type="text"
          class="secret"
          value={text}
          placeholder="64 hex digits"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={mistake !== undefined}
          aria-describedby={mistake === undefined ? undefined : 'private-key-mistake'}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {mistake !== undefined && (
          <p class="mistake" id="private-key-mistake" role="alert">
            {mistake}
          </p>
        )}
      </div>
      <p class="actions">
        <button type="submit" class="primary">
          Use this key
        </button>
        <button type="button" onClick={() => generateKey(scheme)}>
          Generate a new key
        </button>
      </p>
    </form>
  );
}
