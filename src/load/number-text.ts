/** A number for readers, without decimals. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}
