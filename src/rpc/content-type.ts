/**
 * Whether a request's content type is JSON in UTF-8: `application/json`, alone or with parameters. A charset other than
 * UTF-8 is not (RFC 8259, section 8.1).
 */
export function isJsonContentType(value: string): boolean {
  if (value === 'application/json') return true;
  const [mediaType = '', ...parameters] = value.split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json') return false;
  for (const parameter of parameters) {
    const [name = '', given = ''] = parameter.split('=', 2);
    if (name.trim().toLowerCase() !== 'charset') continue;
    const charset = given
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .toLowerCase();
    if (charset !== 'utf-8' && charset !== 'utf8') return false;
  }
  return true;
}
