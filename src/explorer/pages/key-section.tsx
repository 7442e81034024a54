import { useState } from 'preact/hooks';
import { ClientError, devPrivateKey, type KeyScheme } from '../../client/client.js';
import {
  DEV_ACCOUNTS,
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
import { Button, Check, Form, LineInput, Select, useLine } from '../parts/controls.js';
import { CopyButton } from '../parts/copy.js';
import { AddressFact } from '../parts/facts.js';
import { Fact, Facts, Section } from '../parts/layout.js';

/** The id of development chains; their accounts' keys are public. */
const DEV_CHAIN_ID = 9_545n;

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
        <AddressFact name="Address" of={of.signer.address} />
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
            <Button onClick={() => setShown(true)}>Show the private key</Button>
          )}
        </Fact>
      </Facts>
      <p>
        <Check
          checked={kept}
          onChange={(checked) => {
            keepKey(checked);
            setKept(checked);
          }}
        >
          Keep the key in this tab until it is closed
        </Check>
      </p>
      <p class="actions">
        <Button onClick={forgetKey}>Forget the key</Button>
      </p>
    </>
  );
}

function ChooseKey() {
  const [scheme, setScheme] = useState<KeyScheme>('ed25519');
  const line = useLine('key');
  const [message, setMessage] = useState<string>();
  const use = () => {
    try {
      useKey(scheme, parsePrivateKey(line.value), 'entered here');
      line.onChange('');
    } catch (error) {
      if (!(error instanceof PrivateKeyError) && !(error instanceof ClientError)) throw error;
      setMessage(error.message);
    }
  };
  const isDevelopment = status.value?.chain_id === DEV_CHAIN_ID;
  return (
    <Form onSubmit={use}>
      {isDevelopment && (
        <div class="field">
          <Select
            label="Development account"
            value=""
            options={[
              ['', 'Choose one…'],
              ...Array.from(
                { length: DEV_ACCOUNTS },
                (_, index) => [`${index}`, `Account ${index}`] as const,
              ),
            ]}
            onChange={(value) => {
              if (value === '') return;
              useKey('ed25519', devPrivateKey(Number(value)), `development account ${value}`);
            }}
          />
          <p class="muted">The keys of these accounts are public.</p>
        </div>
      )}
      <div class="field">
        <Select
          label="Scheme"
          value={scheme}
          options={[
            ['ed25519', 'ed25519'],
            ['secp256k1', 'secp256k1'],
          ]}
          onChange={(value) => setScheme(value === 'secp256k1' ? 'secp256k1' : 'ed25519')}
        />
      </div>
      <LineInput
        {...line}
        label="Private key"
        placeholder="64 hex digits"
        mistake={message === undefined ? undefined : { path: line.path, message }}
        isSecret
      />
      <p class="actions">
        <button type="submit" class="primary">
          Use this key
        </button>
        <Button onClick={() => generateKey(scheme)}>Generate a new key</Button>
      </p>
    </Form>
  );
}
