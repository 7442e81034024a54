import { useState } from 'preact/hooks';
import { inUnits, nativeUnit, setNativeUnit, showUnits } from '../amounts/unit-choice.js';
import { Check, Form, LineInput } from '../parts/controls.js';
import { Section } from '../parts/layout.js';

/** Chooses how amounts are shown. */
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
  const [decimals, setDecimals] = useState(String(unit.decimals));
  const [symbol, setSymbol] = useState(unit.symbol);
  const [message, setMistake] = useState<string>();
  return (
    <Form onSubmit={() => setMistake(setNativeUnit(decimals, symbol))}>
      <p>
        The chain defines no unit of its balances; choose one here. Tokens define theirs. Forms and the prices
        of gas stay in the smallest unit.
      </p>
      <div class="pair">
        <LineInput
          label="Decimals"
          path="unit.decimals"
          value={decimals}
          mistake={message === undefined ? undefined : { path: 'unit.decimals', message }}
          onChange={setDecimals}
        />
        <LineInput
          label="Symbol"
          hint="optional"
          path="unit.symbol"
          value={symbol}
          mistake={undefined}
          onChange={setSymbol}
        />
      </div>
      <p class="actions">
        <button type="submit">Use this unit</button>
      </p>
    </Form>
  );
}
