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
}

/** A table with a caption for screen readers. Each row is a list of cells with a key. */
export function Table({
  caption,
  columns,
  rows,
  stacked = false,
}: {
  readonly caption: string;
  /** On narrow screens, each row becomes a list of its cells with their columns' names, and none is hidden. */
  readonly stacked?: boolean;
  readonly columns: readonly Column[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
}) {
  const classOf = ({ numeric, wide }: Column) =>
    [numeric === true && 'numeric', wide === true && 'wide'].filter(Boolean).join(' ');
  return (
    <table class={stacked ? 'stacked' : undefined}>
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
