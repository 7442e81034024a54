import { useEffect, useState } from 'preact/hooks';
import type { LookupCache } from './lookup-cache.js';

/** The value of a key, looked up while the component is shown. @param key undefined to look up nothing */
export function useLookup<V>(cache: LookupCache<V>, key: string | undefined): V | undefined {
  const [, setTimes] = useState(0);
  const value = key === undefined ? undefined : cache.read(key);
  useEffect(() => {
    if (key === undefined) return;
    const render = () => setTimes((times) => times + 1);
    const end = cache.watch(key, render);
    // The value may have come since this component was drawn.
    if (cache.read(key) !== value) render();
    cache.ask(key);
    return end;
  }, [cache, key]);
  return value;
}
