import { invalidParams, limitExceeded } from '../errors.js';

/** How many entries a page has where the caller does not say. */
const DEFAULT_PAGE_SIZE = 50;

/** The size of the page asked for. */
export function pageLimit(limit: number | undefined, maxPageSize: number): number {
  if (limit === undefined) return Math.min(DEFAULT_PAGE_SIZE, maxPageSize);
  if (limit === 0) throw invalidParams('params.limit', `an integer from 1 to ${maxPageSize}`, '0');
  if (limit > maxPageSize) throw limitExceeded('limit', maxPageSize, limit);
  return limit;
}
