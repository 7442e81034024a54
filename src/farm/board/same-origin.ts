/** Host names of this machine for a browser on it, with or without a port. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/**
 * Why a request is refused: pages of other sites must neither read the board, by a name of theirs that points here, nor
 * press its buttons.
 * @param header reads a header of the request
 * @returns undefined if it is allowed
 */
export function refusalOf(method: string, header: (name: string) => string | undefined): string | undefined {
  const host = header('host') ?? '';
  if (!LOOPBACK.test(host))
    return `expected the Host of this machine, such as localhost, got ${JSON.stringify(host)}`;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const origin = header('origin');
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return `expected a request of the board's own page, got one of ${JSON.stringify(origin)}`;
}
