import { useMemo, useState } from 'preact/hooks';
import { toHex } from '../../idl/hex.js';
import { type CompiledInterface, compileInterface } from '../interface/contract-interface.js';
import { blockTimes } from '../node/block-times.js';
import { client, lookups } from '../node/connection.js';
import { status } from '../node/live.js';
import { type EventPlace, endOf, type NewestEvents, newestEvents } from '../node/newest-events.js';
import { Events } from '../parts/events.js';
import { Waiting } from '../parts/failure-box.js';
import { Section } from '../parts/layout.js';
import { Pages } from '../parts/pages.js';
import type { EventWords } from '../routing/event-words.js';
import { open } from '../routing/location.js';
import { eventsLink } from '../routing/route.js';
import { grouped } from '../text/format.js';
import { type EventFilter, prepareFilter } from './event-filter.js';
import { EventFilterForm } from './event-filter-form.js';

const LIMIT = 25;

interface EventPage extends NewestEvents {
  readonly times: ReadonlyMap<bigint, bigint>;
}

interface ContractEventsProps {
  readonly address: Uint8Array;
  readonly idl: string | undefined;
  readonly words: EventWords;
}

/** A contract's events, newest first. @param words the filter of the link */
export function ContractEvents({ address, idl, words }: ContractEventsProps) {
  const compiled = useMemo(() => (idl === undefined ? undefined : compiledOf(idl)), [idl]);
  const key = JSON.stringify(words);
  const filter = useMemo(() => prepareFilter(compiled, words), [compiled, key]);
  return (
    <Section title="Events">
      <EventFilterForm
        key={key}
        compiled={compiled}
        words={words}
        onApply={(chosen) => open(eventsLink(toHex(address), chosen))}
      />
      {filter.ok && <EventList key={key} address={address} filter={filter.value} />}
    </Section>
  );
}

function compiledOf(idl: string): CompiledInterface | undefined {
  const compilation = compileInterface(idl);
  return compilation.ok ? compilation.compiled : undefined;
}

function EventList({ address, filter }: { readonly address: Uint8Array; readonly filter: EventFilter }) {
  const node = client.value;
  const tip = status.value?.tip.height;
  const [searched, setSearched] = useState<bigint>();
  if (tip === undefined) return <Waiting />;
  const { topics, to } = filter;
  return (
    <>
      <Pages<EventPage>
        inputs={[node, toHex(address), filter]}
        load={async (cursor, signal) => {
          setSearched(undefined);
          const before =
            cursor === undefined ? endOf(to !== undefined && to < tip ? to : tip) : placeOf(cursor);
          const page = await newestEvents(
            (range) => node.call('get_logs', { contract: address, topics, ...range }, { signal }),
            before,
            LIMIT,
            setSearched,
          );
          const times = await blockTimes(
            lookups.value,
            page.logs.map(({ height }) => height),
            signal,
          );
          setSearched(undefined);
          return { items: [{ ...page, times }], next: page.next && cursorOf(page.next) };
        }}
        show={([page]) => page !== undefined && <EventsFound page={page} />}
      />
      {searched !== undefined && <Waiting text={`Searched back to block ${grouped(searched)}…`} />}
    </>
  );
}

function EventsFound({ page: { logs, times, next, searchedTo } }: { readonly page: EventPage }) {
  const isCut = next !== undefined && logs.length < LIMIT;
  return (
    <>
      {(logs.length > 0 || !isCut) && <Events logs={logs} times={times} />}
      {isCut && (
        <p class="muted">
          The search has reached block {grouped(searchedTo)}; <em>Older</em> goes on from there.
        </p>
      )}
    </>
  );
}

function cursorOf({ height, txIndex, logIndex }: EventPlace): string {
  return `${height}/${txIndex}/${logIndex}`;
}

function placeOf(cursor: string): EventPlace {
  const [height = '0', txIndex = '0', logIndex = '0'] = cursor.split('/');
  return { height: BigInt(height), txIndex: Number(txIndex), logIndex: Number(logIndex) };
}
