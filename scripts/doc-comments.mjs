// Reads declarations and their doc comments from formatted sources, for the reference pages.

/** The text of the doc comment above a declaration and its decorators, with its tags; '' if there is none. */
export function commentAbove(lines, at) {
  let last = at - 1;
  while (/^\s*(?:@\w|\/\/ @ts-ignore)/.test(lines[last] ?? '')) last--;
  if (!/\*\/$/.test(lines[last] ?? '')) return '';
  let first = last;
  while (!/^\s*\/\*\*/.test(lines[first])) first--;
  return lines
    .slice(first, last + 1)
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/))?\s?/, '').replace(/\s*\*\/$/, ''))
    .join(' ')
    .trim();
}

/** A signature without modifiers and body. */
export function signatureOf(lines, at) {
  let end = at;
  while (!/[{;]$/.test(lines[end])) end++;
  return lines
    .slice(at, end + 1)
    .map((line) => line.trim())
    .join(' ')
    .replace(/\s*[{;]$/, '')
    .replace(/^export (?:const )?(?:async )?(?:function |class |enum )?/, '')
    .replace(/^(?:get|readonly) (\w+)\(?\)?/, '$1')
    .replace('( ', '(')
    .replace(', )', ')');
}
