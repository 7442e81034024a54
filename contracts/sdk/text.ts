// AssemblyScript strings are UTF-16; everything that leaves a contract is UTF-8.

/** Length of the string in UTF-8 bytes. A lone surrogate counts as U+FFFD, three bytes. */
export function utf8Length(text: string): u32 {
  const units = text.length;
  let at = changetype<usize>(text);
  const end = at + (<usize>units << 1);
  let length: u32 = 0;
  while (at < end) {
    const unit = <u32>load<u16>(at);
    at += 2;
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if (isPair(unit, at, end)) {
      at += 2;
      length += 4;
    } else length += 3;
  }
  return length;
}

/** Writes the string as UTF-8, `utf8Length(text)` bytes. */
export function writeUtf8(text: string, out: usize): void {
  let at = changetype<usize>(text);
  const end = at + (<usize>text.length << 1);
  while (at < end) {
    let unit = <u32>load<u16>(at);
    at += 2;
    if (unit < 0x80) {
      store<u8>(out, unit);
      out += 1;
    } else if (unit < 0x800) {
      store<u8>(out, 0xc0 | (unit >> 6));
      store<u8>(out, 0x80 | (unit & 0x3f), 1);
      out += 2;
    } else if (isPair(unit, at, end)) {
      const code = 0x10000 + ((unit & 0x3ff) << 10) + (<u32>load<u16>(at) & 0x3ff);
      at += 2;
      store<u8>(out, 0xf0 | (code >> 18));
      store<u8>(out, 0x80 | ((code >> 12) & 0x3f), 1);
      store<u8>(out, 0x80 | ((code >> 6) & 0x3f), 2);
      store<u8>(out, 0x80 | (code & 0x3f), 3);
      out += 4;
    } else {
      if ((unit & 0xf800) == 0xd800) unit = 0xfffd;
      store<u8>(out, 0xe0 | (unit >> 12));
      store<u8>(out, 0x80 | ((unit >> 6) & 0x3f), 1);
      store<u8>(out, 0x80 | (unit & 0x3f), 2);
      out += 3;
    }
  }
}

// @ts-ignore: decorator
@inline
function isPair(unit: u32, next: usize, end: usize): bool {
  return (unit & 0xfc00) == 0xd800 && next < end && (<u32>load<u16>(next) & 0xfc00) == 0xdc00;
}

/** Decodes strict UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. Returns null if invalid. */
export function readUtf8(pointer: usize, length: u32): string | null {
  // A character never has more UTF-16 units than UTF-8 bytes.
  const buffer = heap.alloc(<usize>length << 1);
  const end = pointer + length;
  let out = buffer;
  while (pointer < end) {
    const first = <u32>load<u8>(pointer);
    pointer += 1;
    if (first < 0x80) {
      store<u16>(out, first);
      out += 2;
      continue;
    }
    let more: u32 = 0;
    let least: u32 = 0;
    let code: u32 = 0;
    if ((first & 0xe0) == 0xc0) {
      more = 1;
      least = 0x80;
      code = first & 0x1f;
    } else if ((first & 0xf0) == 0xe0) {
      more = 2;
      least = 0x800;
      code = first & 0x0f;
    } else if ((first & 0xf8) == 0xf0) {
      more = 3;
      least = 0x10000;
      code = first & 0x07;
    } else return null;
    if (<u32>(end - pointer) < more) return null;
    do {
      const byte = <u32>load<u8>(pointer);
      if ((byte & 0xc0) != 0x80) return null;
      code = (code << 6) | (byte & 0x3f);
      pointer += 1;
    } while (--more);
    if (code < least || code > 0x10ffff || (code & 0xfffff800) == 0xd800) return null;
    if (code < 0x10000) {
      store<u16>(out, code);
      out += 2;
    } else {
      code -= 0x10000;
      store<u16>(out, 0xd800 | (code >> 10));
      store<u16>(out, 0xdc00 | (code & 0x3ff), 2);
      out += 4;
    }
  }
  const size = out - buffer;
  const text = changetype<string>(__new(size, idof<string>()));
  memory.copy(changetype<usize>(text), buffer, size);
  return text;
}
