import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../node/failure.js';
import { Form } from '../parts/controls.js';
import { open, route } from '../routing/location.js';
import { counted } from '../text/format.js';
import { contractsNamed, type Found, type FoundContracts, search } from './search.js';
import { SearchResults } from './search-results.js';

export function SearchBox() {
  const [text, setText] = useState('');
  const [message, setMessage] = useState('');
  const [contracts, setContracts] = useState<FoundContracts>();
  /** Number of the latest search; results of earlier ones are dropped. */
  const latest = useRef(0);
  const page = route.value;
  const clear = () => {
    latest.current++;
    setMessage('');
    setContracts(undefined);
  };
  useEffect(clear, [page]);
  /** Runs a search and returns what it has found, unless it is outdated. */
  const run = async <T,>(work: () => Promise<T>): Promise<T | { readonly message: string } | undefined> => {
    const number = ++latest.current;
    const found = await work().catch((error: unknown) => {
      const failure = failureOf(error);
      return { message: `${failure.title}. ${failure.text}` };
    });
    return number === latest.current ? found : undefined;
  };
  const submit = async () => {
    clear();
    const found: Found | undefined = await run(() => search(text));
    if (found === undefined) return;
    if ('message' in found) setMessage(found.message);
    else if ('contracts' in found) setContracts(found);
    else {
      setText('');
      open(found.link);
    }
  };
  const more = async (before: FoundContracts) => {
    const found = await run(() => contractsNamed(before.name, before.next));
    if (found === undefined) return;
    if ('message' in found) setMessage(found.message);
    else setContracts({ ...found, contracts: [...before.contracts, ...found.contracts] });
  };
  return (
    <search
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        clear();
        document.getElementById('search')?.focus();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setContracts(undefined);
      }}
    >
      <Form class="search" onSubmit={() => void submit()}>
        <label class="sr-only" for="search">
          Search by height, hash, address or name
        </label>
        <input
          id="search"
          type="search"
          value={text}
          placeholder="Block, address or name"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="search-message"
          aria-invalid={message !== ''}
          onInput={(event) => {
            setText(event.currentTarget.value);
            clear();
          }}
        />
        <button type="submit">Search</button>
      </Form>
      <p id="search-message" class="search-message" role="status">
        {message}
        {contracts !== undefined && <span class="sr-only">{countText(contracts)}</span>}
      </p>
      {contracts !== undefined && <SearchResults found={contracts} onMore={() => void more(contracts)} />}
    </search>
  );
}

function countText({ contracts, next }: FoundContracts): string {
  return `${counted(contracts.length, 'contract')}${next === undefined ? '' : ', and more'}`;
}
