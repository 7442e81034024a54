import { toHex } from '../../idl/hex.js';
import { Button } from '../parts/controls.js';
import { Height, Hex } from '../parts/hex.js';
import { addressLink } from '../routing/route.js';
import { shortName } from '../text/untrusted.js';
import type { FoundContracts } from './search.js';

/** The contracts that a search by name has found, below the search field. */
export function SearchResults({
  found: { contracts, next },
  onMore,
}: {
  readonly found: FoundContracts;
  readonly onMore: () => void;
}) {
  return (
    // A click on its text must not count as one beside it.
    <div class="search-results" tabIndex={-1}>
      <ul>
        {contracts.map(({ contract, name, deployed_at }) => (
          <li key={toHex(contract)}>
            <strong>{shortName(name)}</strong>
            <Hex text={`0x${toHex(contract)}`} href={addressLink(toHex(contract))} />
            <span class="muted">
              deployed in block <Height of={deployed_at} />
            </span>
          </li>
        ))}
      </ul>
      {next !== undefined && <Button onClick={onMore}>Show more</Button>}
      <p class="muted">Anyone can give a contract any name: check the address.</p>
    </div>
  );
}
