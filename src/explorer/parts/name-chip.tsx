import { useTokenUnit } from '../amounts/token-units.js';
import { symbolText } from '../amounts/unit.js';
import type { KnownAddress } from '../names/find-contracts.js';
import { useAccountLabel, useKnownAddress } from '../names/known-addresses.js';
import { shortName } from '../text/untrusted.js';

/** Maximum number of characters shown of a contract's name, which its author chose. */
const MAX_NAME = 24;

/** What is known of an address: its contract's name, and what this page knows itself. @param of 40 hex digits */
export function NameChip({ of }: { readonly of: string }) {
  const label = useAccountLabel(of);
  const known = useKnownAddress(of);
  const name = nameOf(known);
  const isNamed = known?.kind === 'contract' && known.compiled !== undefined;
  const unit = useTokenUnit(of);
  return (
    <>
      {label !== '' && <span class="chip chip-own">{label}</span>}
      {name !== undefined && (
        <span
          class="chip"
          title={
            isNamed
              ? "The contract's author chose this name; only the address identifies it"
              : 'A contract without an interface, so its name is not known'
          }
        >
          {name}
          {unit !== undefined && ` ${symbolText(unit.symbol)}`.trimEnd()}
        </span>
      )}
    </>
  );
}

/** The name of a contract by its interface; undefined for accounts. @param digits 40 hex digits; undefined for none */
export function useContractName(digits: string | undefined): string | undefined {
  return nameOf(useKnownAddress(digits));
}

function nameOf(known: KnownAddress | undefined): string | undefined {
  if (known?.kind !== 'contract') return undefined;
  return known.compiled === undefined ? 'contract' : shortName(known.compiled.definition.name, MAX_NAME);
}
