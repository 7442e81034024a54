import { shownLine } from '../base/shown-text.js';
import type { Console } from './console.js';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const ERASE_LINE = '\u001b[2K';
const ERASE_BELOW = '\u001b[J';

/** Redraws lines in place on a terminal. */
export class Screen {
  readonly #console: Console;
  #drawn = 0;

  constructor(console: Console) {
    this.#console = console;
    console.control(HIDE_CURSOR);
  }

  /** Draws the lines; truncates long ones and drops those that do not fit the terminal. */
  draw(lines: readonly string[]): void {
    const { columns, rows } = this.#console.size();
    const shown = lines.slice(0, Math.max(1, rows - 1));
    const up = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A`;
    const text = shown.map((line) => `${ERASE_LINE}${cut(shownLine(line), columns)}\n`).join('');
    this.#console.control(`${up}\r${text}${ERASE_BELOW}`);
    this.#drawn = shown.length;
  }

  /** Keeps the last frame on the screen. */
  close(): void {
    this.#console.control(SHOW_CURSOR);
  }
}

function cut(line: string, columns: number): string {
  return line.length > columns ? `${line.slice(0, Math.max(0, columns - 1))}…` : line;
}
