import { useState } from 'preact/hooks';
import { inUnits, nativeUnit, setNativeUnit, showUnits } from '../amounts/unit-choice.js';
import { Check, Form, LineInput, useLine } from '../parts/controls.js';
import { Section } from '../parts/layout.js';

export function UnitsSection() {
  return (
    <Section title="Amounts">
      <fieldset class="choices">
        <legend>Show amounts in</legend>
        {[false, true].map((wanted) => (
          <Check
            key={String(wanted)}
            radio="units"
            checked={inUnits.value === wanted}
            onChange={() => showUnits(wanted)}
          >
            {wanted ? 'units, with their symbols' : 'the smallest unit'}
          </Check>
        ))}
      </fieldset>
      <NativeUnitForm />
    </Section>
  );
}

function NativeUnitForm() {
  const unit = nativeUnit.value;
  const decimals = useLine('unit.decimals', String(unit.decimals));
  const symbol = useLine('unit.symbol', unit.symbol);
  const [message, setMessage] = useState<string>();
  const mistake = message === undefined ? undefined : { path: decimals.path, message };
  return (
    <Form onSubmit={() => setMessage(setNativeUnit(decimals.value, symbol.value))}>
      <p>
        The chain defines no unit of its balances; choose one here. Tokens define theirs. Forms and the prices
        of gas stay in the smallest unit.
      </p>
      <div class="pair">
        <LineInput {...decimals} label="Decimals" mistake={mistake} />
        <LineInput {...symbol} label="Symbol" hint="optional" />
      </div>
      <p class="actions">
        <button type="submit">Use this unit</button>
      </p>
    </Form>
  );
}
