/**
 * The advantages of a newer Node over a version that is past its end of life; undefined for other versions.
 * @param version of the running Node, such as `v22.11.0`
 */
export function outdatedNode(version: string = process.version): string | undefined {
  const [major = ''] = version.replace(/^v/, '').split('.');
  if (Number(major) >= 22) return undefined;
  return `Node ${major} gets no security fixes any more; Node 24 does, and answers calls under load faster`;
}
