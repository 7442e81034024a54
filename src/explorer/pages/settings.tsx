import { client, nodeUrl, token, useToken } from '../node/connection.js';
import { useLoaded } from '../node/loading.js';
import { Button, Check } from '../parts/controls.js';
import { WhenLoaded } from '../parts/failure-box.js';
import { Fact, Facts, Section } from '../parts/layout.js';
import { Badge } from '../parts/status.js';
import { chooseTheme, THEMES, theme } from '../parts/theme.js';
import { TokenForm } from '../parts/token-form.js';
import { Heading } from './heading.js';
import { KeySection } from './key-section.js';
import { UnitsSection } from './units-section.js';

export function SettingsPage() {
  return (
    <>
      <Heading title="Settings" />
      <KeySection />
      <TokenSection />
      <UnitsSection />
      <Section title="Appearance">
        <fieldset class="choices">
          <legend>Colours</legend>
          {THEMES.map((name) => (
            <Check key={name} radio="theme" checked={theme.value === name} onChange={() => chooseTheme(name)}>
              {name === 'system' ? 'as the system' : name}
            </Check>
          ))}
        </fieldset>
      </Section>
    </>
  );
}

function TokenSection() {
  const current = token.value;
  const node = client.value;
  const check = useLoaded(
    async (signal) => current !== undefined && (await node.call('status', {}, { signal })) !== undefined,
    [node, current],
  );
  return (
    <Section title="Access token">
      <p>
        Some nodes ask for a token for paid methods, such as views, simulations and traces. The token is sent
        only to this node, and not with the live updates, so these do not use up its prepaid units.
      </p>
      <Facts>
        <Fact name="Node">
          <span class="mono break">{nodeUrl()}</span>
        </Fact>
        <Fact name="Token">
          {current === undefined ? (
            <Badge tone="plain" text="none" />
          ) : (
            <WhenLoaded of={check}>{() => <Badge tone="good" text="accepted by the node" />}</WhenLoaded>
          )}
        </Fact>
      </Facts>
      <TokenForm key={current} />
      {current !== undefined && (
        <p class="actions">
          <Button onClick={() => useToken(undefined, false)}>Forget the token</Button>
        </p>
      )}
    </Section>
  );
}
