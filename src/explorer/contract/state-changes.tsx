import { useState } from 'preact/hooks';
import type { StateDiff } from '../../generated/node-rpc-v1.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import { NativeAmount } from '../amounts/amount.js';
import { Empty } from '../parts/failure-box.js';
import { AddressHex, Hex } from '../parts/hex.js';
import { RawBytes } from '../parts/json.js';
import { counted } from '../text/format.js';

/** Number of accounts and slots shown at first, and added per click. */
const STEP = 20;

/** The changes of a transaction, grouped by account. */
export function StateChanges({ of }: { readonly of: readonly StateDiff[] }) {
  const [shown, setShown] = useState(STEP);
  if (of.length === 0) return <Empty>No changes.</Empty>;
  return (
    <>
      <ul class="changes">
        {of.slice(0, shown).map((diff) => (
          <li key={toHex(diff.address)}>
            <AccountChange of={diff} />
          </li>
        ))}
      </ul>
      {of.length > shown && (
        <button type="button" onClick={() => setShown(shown + STEP)}>
          Show more of {counted(of.length, 'account')}
        </button>
      )}
    </>
  );
}

function AccountChange({ of }: { readonly of: StateDiff }) {
  const [shown, setShown] = useState(STEP);
  const { address, balance, slots, code_hash } = of;
  return (
    <>
      <AddressHex of={address} />
      <ul class="json">
        {balance !== undefined && (
          <li>
            <span class="json-name">balance</span> <NativeAmount of={balance.before} />
            {' → '}
            <NativeAmount of={balance.after} />
          </li>
        )}
        {code_hash !== undefined && (
          <li>
            <span class="json-name">code</span> <Hex text={toHex(code_hash)} copy="code hash" />
          </li>
        )}
        {slots.slice(0, shown).map(({ slot, before, after }) => (
          <li key={toHex(slot)}>
            <span class="json-name">slot</span> <Hex text={toHex(slot)} copy="slot" />
            <br />
            {before === undefined ? (
              <span class="muted">absent</span>
            ) : (
              <RawBytes of={toPrefixedHex(before)} what="value before" />
            )}
            {' → '}
            {after === undefined ? (
              <span class="muted">removed</span>
            ) : (
              <RawBytes of={toPrefixedHex(after)} what="value after" />
            )}
          </li>
        ))}
        {slots.length > shown && (
          <li>
            <button type="button" class="link-button" onClick={() => setShown(shown + STEP)}>
              Show more of {counted(slots.length, 'slot')}
            </button>
          </li>
        )}
      </ul>
    </>
  );
}
