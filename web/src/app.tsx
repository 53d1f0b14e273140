import { useEffect, useRef } from 'react';
import { ComparePage } from './compare/compare-page.tsx';
import { Message } from './parts/message.tsx';
import { ThemeButton } from './parts/theme-button.tsx';
import { QuestionsPage } from './questions/questions-page.tsx';
import { RecordsPage } from './records/records-page.tsx';
import { hrefOf, type Route, useRoute } from './router.ts';
import { RunPage } from './run/run-page.tsx';
import { RunsPage } from './runs/runs-page.tsx';

export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const page = route.path.join('/');
  const shown = useRef(page);
  // A new page is read from its beginning: without this a screen reader would stay on the link that led here.
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header className="top">
        <a className="name" href={hrefOf([])}>
          Krisis
        </a>
        <nav aria-label="Pages">
          <a href={hrefOf([])} aria-current={route.path.length === 0 ? 'page' : undefined}>
            Runs
          </a>
          <a href={hrefOf(['compare'])} aria-current={route.path[0] === 'compare' ? 'page' : undefined}>
            Compare
          </a>
        </nav>
        <ThemeButton />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Page route={route} />
      </main>
    </>
  );
}

function Page({ route }: { route: Route }) {
  const { path, query } = route;
  const [first, id, part] = path;
  if (first === undefined) return <RunsPage />;
  if (first === 'compare' && path.length === 1) return <ComparePage a={query.get('a')} b={query.get('b')} />;
  if (first === 'runs' && id !== undefined) {
    if (part === undefined) return <RunPage key={id} id={id} query={query} />;
    if (part === 'records' && path.length === 3) return <RecordsPage key={id} id={id} query={query} />;
    if (part === 'questions' && path.length === 3)
      return <QuestionsPage key={id} id={id} open={query.get('answer')} />;
  }
  return (
    <Message title="There is no such page">
      <p>
        Nothing is at <code>{`#/${path.join('/')}`}</code>. Go to the <a href={hrefOf([])}>list of runs</a>.
      </p>
    </Message>
  );
}
