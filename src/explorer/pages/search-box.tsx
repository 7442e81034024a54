import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf } from '../node/failure.js';
import { open, route } from '../routing/location.js';
import { search } from './search.js';

/** The search field of the header. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [message, setMessage] = useState('');
  /** Number of the latest search; results of earlier ones are dropped. */
  const latest = useRef(0);
  const page = route.value;
  useEffect(() => {
    latest.current++;
    setMessage('');
  }, [page]);
  const submit = async () => {
    const number = ++latest.current;
    setMessage('');
    const found = await search(text).catch((error: unknown) => {
      const failure = failureOf(error);
      return { message: `${failure.title}. ${failure.text}` };
    });
    if (number !== latest.current) return;
    if ('link' in found) {
      setText('');
      open(found.link);
    } else setMessage(found.message);
  };
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label class="sr-only" for="search">
          Search by height, hash or address
        </label>
        <input
          id="search"
          type="search"
          value={text}
          placeholder="Height, hash or address"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="search-message"
          aria-invalid={message !== ''}
          onInput={(event) => {
            latest.current++;
            setText(event.currentTarget.value);
            setMessage('');
          }}
        />
        <button type="submit">Search</button>
      </form>
      <p id="search-message" class="search-message" role="status">
        {message}
      </p>
    </search>
  );
}
