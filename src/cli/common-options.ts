import { Option } from 'commander';
import { DEFAULT_HOST, DEFAULT_PORT } from '../config/defaults.js';
import type { BlockRef } from '../generated/node-rpc-v1.js';
import { height } from './option-parsers.js';

const DEFAULT_URL = `http://${DEFAULT_HOST}:${DEFAULT_PORT}`;

/** The option that selects a command's node. */
export function urlOption(): Option {
  return new Option('--url <URL>', `the node to talk to (default: HEDDLE_URL, else ${DEFAULT_URL})`);
}

export function urlOrDefault(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? (environment['HEDDLE_URL'] || DEFAULT_URL);
}

/** A height as a reference to the state after its block. */
export function blockAt(at: bigint | undefined): { readonly at?: BlockRef } {
  return at === undefined ? {} : { at: { type: 'height', value: at } };
}

/** The option that selects the state to read. */
export function atOption(): Option {
  return new Option('--at <HEIGHT>', 'the state after this block (default: the last one)').argParser(height);
}
