import type { ComponentChildren, RenderableProps } from 'preact';
import { useId } from 'preact/hooks';

interface SectionProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
}

export function Section({ title, aside, children }: RenderableProps<SectionProps>) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div class="card-aside">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

/** A name and its value in a list of facts. */
export function Fact({ name, children }: RenderableProps<{ readonly name: string }>) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ children }: RenderableProps<object>) {
  return <dl class="facts">{children}</dl>;
}

export interface Column<R> {
  readonly name: string;
  readonly cell: (row: R) => ComponentChildren;
  readonly numeric?: boolean;
  /** Hidden on narrow screens, unless the table is stacked there. */
  readonly wide?: boolean;
  /** The line of a row on narrow screens if a row has two lines there; hidden there without one. */
  readonly line?: 1 | 2;
}

interface TableProps<R> {
  /** For screen readers. */
  readonly caption: string;
  /**
   * The form on narrow screens, by default that with fewer columns: each row stacked as a list of its cells with their
   * columns' names, and none hidden; or each row as two lines.
   */
  readonly narrow?: 'stacked' | 'lines';
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R, at: number) => string;
}

export function Table<R>({ caption, columns, rows, keyOf, narrow }: TableProps<R>) {
  const classOf = ({ numeric, wide, line }: Column<R>) =>
    [
      numeric === true && 'numeric',
      (narrow === 'lines' ? line === undefined : wide === true) && 'wide',
      line !== undefined && `line-${line}`,
    ]
      .filter(Boolean)
      .join(' ');
  return (
    <table class={narrow}>
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" class={classOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)}>
            {columns.map((column) => (
              <td key={column.name} class={classOf(column)} data-column={column.name}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
