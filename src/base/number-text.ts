/* Numbers as readers of reports and of terminals see them. */

/** Without decimals, such as `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** A share from 0 to 1 with one decimal, such as `12.5 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A number of things, such as `1 error` or `2,000 errors`. */
export function counted(number: number, thing: string): string {
  return `${count(number)} ${thing}${number === 1 ? '' : 's'}`;
}
