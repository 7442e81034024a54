import { useState } from 'preact/hooks';
import { RpcCallError } from '../../client/client.js';
import { toHex } from '../../idl/hex.js';
import { LineInput } from '../contract/input.js';
import type { Mistake } from '../contract/mistake.js';
import { prepareHeight } from '../contract/prepare-call.js';
import { client } from '../node/connection.js';
import { status } from '../node/live.js';
import { Events } from '../parts/events.js';
import { Waiting } from '../parts/failure-box.js';
import { Section } from '../parts/layout.js';
import { Pages } from '../parts/pages.js';

const LIMIT = 25;
/** Number of blocks before the tip that the first search covers. */
const RECENT = 10_000n;

/** A contract's events from a height on, in order of execution. */
export function ContractEvents({ address }: { readonly address: Uint8Array }) {
  const node = client.value;
  const tip = status.value?.tip.height;
  const [text, setText] = useState('');
  const [from, setFrom] = useState<bigint>();
  const [mistake, setMistake] = useState<Mistake>();
  const [first, setFirst] = useState<bigint>();
  if (tip === undefined) return <Waiting />;
  // Keeps the first height while the tip moves.
  const recent = first ?? (tip > RECENT ? tip - RECENT : 0n);
  if (first === undefined) setFirst(recent);
  const start = from ?? recent;
  return (
    <Section title="Events">
      <form
        class="form inline"
        onSubmit={(event) => {
          event.preventDefault();
          const prepared = prepareHeight(text, 'call.height');
          setMistake(prepared.ok ? undefined : prepared.mistake);
          if (prepared.ok) setFrom(prepared.value);
        }}
      >
        <LineInput
          label="From height"
          path="call.height"
          value={text}
          placeholder={String(recent)}
          mistake={mistake}
          onChange={setText}
        />
        <button type="submit">Search</button>
      </form>
      <Pages
        key={String(start)}
        inputs={[node, toHex(address), start]}
        load={async (cursor, signal) => {
          const args = { contract: address, from_height: start, limit: LIMIT };
          try {
            const page = await node.call(
              'get_logs',
              { ...args, ...(cursor !== undefined && { cursor }) },
              { signal },
            );
            return { items: page.logs, next: page.next_cursor };
          } catch (error) {
            const oldest = from === undefined ? oldestIn(error) : undefined;
            if (oldest === undefined || oldest <= start) throw error;
            // Another start shows another list, which replaces this empty page before it is seen.
            setFirst(oldest);
            return { items: [], next: undefined };
          }
        }}
        back="Earlier"
        forward="Later"
        show={(logs) => <Events logs={logs} placed />}
      />
    </Section>
  );
}

/** The oldest height that the node has, from its refusal of an older one: it may have started from a snapshot. */
function oldestIn(error: unknown): bigint | undefined {
  if (!(error instanceof RpcCallError) || error.kind !== 'state_unavailable') return undefined;
  const { oldest } = error.data;
  return typeof oldest === 'number' || typeof oldest === 'string' ? BigInt(oldest) : undefined;
}
