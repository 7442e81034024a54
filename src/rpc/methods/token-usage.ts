import type { TokenUsageDay } from '../../generated/node-rpc-v1.js';
import { MAX_NAME_CHARACTERS } from '../access/tokens.js';
import type { TokenDay, UsageReader } from '../access/usage/usage.js';
import { DayRangeError, dayRange, KEPT_DAYS, startOfDay } from '../access/usage/usage-days.js';
import { invalidParams, limitExceeded, RpcError } from '../errors.js';
import type { HandlerContext, MethodHandlers } from '../handlers.js';
import { pageLimit } from './page-arguments.js';

export interface TokenUsageSources {
  readonly usage: UsageReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly maxPageSize: number;
}

export function tokenUsageHandlers({ usage, now, maxPageSize }: TokenUsageSources) {
  return {
    token_usage: async ({ token: asked, from_day, to_day, cursor, limit }, call) => {
      const token = tokenFor(asked, call);
      const { from, to } = range(from_day, to_day, now());
      const size = pageLimit(limit, maxPageSize);
      if (cursor !== undefined && (startOfDay(cursor) === undefined || cursor < from || cursor > to)) {
        throw invalidParams('params.cursor', 'the next_cursor of a page of the same days', 'another text');
      }
      const after = cursor === undefined ? undefined : { day: cursor, token };
      const days = await usage.usage({ from, to, token, after, limit: size + 1 });
      const page = days.slice(0, size);
      const subject = page.at(-1)?.subject;
      const last = days.length > size ? page.at(-1) : undefined;
      return {
        token,
        ...(subject === undefined ? {} : { subject }),
        days: page.map(usageOfDay),
        ...(last === undefined ? {} : { next_cursor: last.day }),
      };
    },
  } satisfies Partial<MethodHandlers>;
}

/** The id of the token that a caller asks about. @throws RpcError unauthorized, forbidden, invalid_params */
function tokenFor(asked: string | undefined, { tokenId, tier }: HandlerContext): string {
  if (tokenId === undefined) {
    const message =
      'token_usage tells a caller the usage of its token: send it as "Authorization: Bearer <token>"';
    throw new RpcError('unauthorized', message, {});
  }
  if (asked === undefined || asked === tokenId) return tokenId;
  if (tier !== 'admin') {
    const message = `the usage of another token needs a token of tier admin; yours has tier ${tier}`;
    throw new RpcError('forbidden', message, { required: 'admin', tier });
  }
  if (asked.length <= MAX_NAME_CHARACTERS) return asked;
  const expected = `the id of a token, at most ${MAX_NAME_CHARACTERS} characters`;
  throw invalidParams('params.token', expected, `${asked.length} characters`);
}

/** @throws RpcError invalid_params, limit_exceeded */
function range(from: string | undefined, to: string | undefined, nowMs: number) {
  try {
    return dayRange({ from, to }, nowMs);
  } catch (error) {
    if (!(error instanceof DayRangeError)) throw error;
    if (error.code === 'too_long') throw limitExceeded('usage_days', KEPT_DAYS, undefined, 'days of usage');
    throw invalidParams(`params.${error.end}_day`, error.expected, error.got);
  }
}

function usageOfDay({ day, methods }: TokenDay): TokenUsageDay {
  const shown = methods
    .map(({ method, calls, units }) => ({ method, calls: BigInt(calls), units: BigInt(units) }))
    .sort((a, b) => (a.method < b.method ? -1 : 1));
  return {
    day,
    calls: shown.reduce((sum, { calls }) => sum + calls, 0n),
    units: shown.reduce((sum, { units }) => sum + units, 0n),
    methods: shown,
  };
}
