import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A titled section of a page. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
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
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export interface Column {
  readonly name: string;
  readonly numeric?: boolean;
  /** Hidden on narrow screens, unless the table is stacked there. */
  readonly wide?: boolean;
  /** The line of a row on narrow screens if a row has two lines there; hidden there without one. */
  readonly line?: 1 | 2;
}

/** A table with a caption for screen readers. Each row is a list of cells with a key. */
export function Table({
  caption,
  columns,
  rows,
  narrow,
}: {
  readonly caption: string;
  /**
   * The form on narrow screens, by default that with fewer columns: each row stacked as a list of its cells with their
   * columns' names, and none hidden; or each row as two lines.
   */
  readonly narrow?: 'stacked' | 'lines';
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
}) {
  const classOf = ({ numeric, wide, line }: Column) =>
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
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map((column, at) => (
              <td key={column.name} class={classOf(column)} data-column={column.name}>
                {cells[at]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
