import type { RenderableProps } from 'preact';
import { useEffect } from 'preact/hooks';

/** A page's heading, which also sets the title of the tab. It takes the focus when the user follows a link. */
export function Heading({ title, children }: RenderableProps<{ readonly title: string }>) {
  useEffect(() => {
    document.title = `${title} · Heddle`;
  }, [title]);
  return (
    <div class="page-head">
      <h1 id="page-title" tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
