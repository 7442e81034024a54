import { createContext } from 'preact';

/** The contract that a decoded value comes from, as 40 hex digits. */
export const ValueContract = createContext<string | undefined>(undefined);
