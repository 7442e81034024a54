import { useState } from 'preact/hooks';
import { failureOf } from '../node/failure.js';
import { open } from '../routing/location.js';
import { search } from './search.js';

/** The search field of the page's head. */
export function SearchBox() {
  const [text, setText] = useState('');
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    setMessage('');
    try {
      const found = await search(text);
      if ('link' in found) {
        setText('');
        open(found.link);
      } else setMessage(found.message);
    } catch (error) {
      const failure = failureOf(error);
      setMessage(`${failure.title}. ${failure.text}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void submit();
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
