import { grouped } from '../text/format.js';
import { useTokenUnit } from './token-units.js';
import { amountText } from './unit.js';
import { inUnits, nativeUnit } from './unit-choice.js';

/** An amount of the chain's own currency. The tooltip has it in the smallest unit. */
export function NativeAmount({ of }: { readonly of: bigint }) {
  const text = inUnits.value ? amountText(of, nativeUnit.value) : grouped(of);
  return <ExactAmount text={text} of={of} />;
}

/** An amount of a token. @param contract of the token, 40 hex digits */
export function TokenAmount({ of, contract }: { readonly of: bigint; readonly contract: string }) {
  const unit = useTokenUnit(contract);
  return <ExactAmount text={unit === undefined ? grouped(of) : amountText(of, unit)} of={of} />;
}

/** A formatted amount. @param of in the smallest unit, for the tooltip */
export function ExactAmount({ text, of }: { readonly text: string; readonly of: bigint }) {
  return (
    <span class="number break" title={`${grouped(of)} of the smallest unit`}>
      {text}
    </span>
  );
}
