/** URL of the RPC path for clients on the node's machine. @param baseUrl prefix of every path; may be empty */
export function localRpcUrl(port: number, baseUrl: string): string {
  return `http://localhost:${port}${baseUrl}/v2/rpc`;
}
