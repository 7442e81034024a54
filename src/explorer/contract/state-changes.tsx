import type { StateDiff } from '../../generated/node-rpc-v1.js';
import { toHex, toPrefixedHex } from '../../idl/hex.js';
import { NativeAmount } from '../amounts/amount.js';
import { useShown } from '../parts/controls.js';
import { Empty } from '../parts/failure-box.js';
import { AddressHex, Hex } from '../parts/hex.js';
import { RawBytes } from '../parts/json.js';
import { counted } from '../text/format.js';

/** Number of accounts and slots shown at first, and added per click. */
const STEP = 20;

export function StateChanges({ of }: { readonly of: readonly StateDiff[] }) {
  const { shown, more } = useShown(of, STEP, counted(of.length, 'account'));
  if (of.length === 0) return <Empty>No changes.</Empty>;
  return (
    <>
      <ul class="changes">
        {shown.map((diff) => (
          <li key={toHex(diff.address)}>
            <AccountChange of={diff} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function AccountChange({ of }: { readonly of: StateDiff }) {
  const { address, balance, slots, code_hash } = of;
  const { shown, more } = useShown(slots, STEP, counted(slots.length, 'slot'), 'link-button');
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
        {shown.map(({ slot, before, after }) => (
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
        {more && <li>{more}</li>}
      </ul>
    </>
  );
}
