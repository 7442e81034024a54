import type { FileHandle } from 'node:fs/promises';

const NEWLINE = 0x0a;
/** Number of bytes per read when scanning a file from its end. */
const TAIL_BYTES = 65_536;

/**
 * Prepares a file of JSON lines for appending: reads its last complete line and cuts off a torn one after it.
 * @param file.beginning first characters of every line
 * @param file.foreign the error for a file with other contents, which stays unchanged
 * @param read returns undefined if the members are not those of a line
 * @returns what `read` returned; undefined if the file has no complete line
 */
export async function continueLines<T>(
  handle: FileHandle,
  file: { readonly beginning: string; readonly foreign: () => Error },
  read: (members: Readonly<Record<string, unknown>>) => T | undefined,
): Promise<T | undefined> {
  const { size } = await handle.stat();
  const end = await lineStart(handle, size);
  let last: T | undefined;
  if (end > 0) {
    const line = await readPart(handle, await lineStart(handle, end - 1), end);
    last = read(membersOf(line.toString()));
    if (last === undefined) throw file.foreign();
  }
  if (end < size) {
    const torn = await readPart(handle, end, Math.min(size, end + file.beginning.length));
    if (!file.beginning.startsWith(torn.toString())) throw file.foreign();
    await handle.truncate(end);
  }
  return last;
}

/** The offset after the last newline before `before`; 0 if there is none. */
async function lineStart(handle: FileHandle, before: number): Promise<number> {
  for (let end = before; end > 0; ) {
    const start = Math.max(0, end - TAIL_BYTES);
    const newline = (await readPart(handle, start, end)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

async function readPart(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const part = Buffer.alloc(end - start);
  let read = 0;
  while (read < part.length) {
    const { bytesRead } = await handle.read(part, read, part.length - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return part.subarray(0, read);
}

/** The members of a JSON object; none for any other text. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
