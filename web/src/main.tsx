import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { chooseSource } from './data/choose-source.ts';
import { queryClient } from './data/query-client.ts';
import { SourceContext } from './data/source-context.ts';
import './style.css';
import { PAGES } from './pages.tsx';
import { Palette } from './palette/palette.tsx';
import { PageBoundary } from './parts/boundary.tsx';
import { Connection } from './parts/connection.tsx';
import { KeysHelp } from './parts/keys-help.tsx';
import { Message } from './parts/message.tsx';
import { Rail } from './parts/rail.tsx';
import { RunTabs } from './parts/run-header.tsx';
import { ThemeButton } from './parts/theme-button.tsx';
import { usePlace } from './parts/use-place.ts';
import { buildHref, paramsIn, type Route, useRoute } from './router.ts';

const TABS = PAGES.flatMap(({ path, tab }) => (tab === undefined ? [] : [{ path, ...tab }]));

function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const page = route.path.join('/');
  usePlace(page, `${page}?${route.query}`, main);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header className="top">
        {route.path[0] === 'review' ? (
          // Reviewers are blind: no link leads to results.
          <span className="name apart">Krisis review</span>
        ) : (
          <>
            <a className="name" href={buildHref('')}>
              Krisis
            </a>
            <nav aria-label="Pages">
              {PAGES.filter(({ nav }) => nav !== undefined).map(({ path, nav }) => (
                <a key={path} href={buildHref(path)} aria-current={page === path ? 'page' : undefined}>
                  {nav}
                </a>
              ))}
            </nav>
            <Palette page={route.path} />
            <KeysHelp />
          </>
        )}
        <ThemeButton />
      </header>
      <div className="frame">
        <Rail main={main} route={route} />
        <main id="main" ref={main} tabIndex={-1}>
          <RunTabs value={TABS}>
            <Connection />
            <PageBoundary resetKeys={[page]}>
              <Page route={route} />
            </PageBoundary>
          </RunTabs>
        </main>
      </div>
    </>
  );
}

function Page({ route: { path, query } }: { route: Route }) {
  for (const { path: template, page } of PAGES) {
    const params = paramsIn(template, path);
    if (params !== null) return page(params, query);
  }
  return (
    <Message title="There is no such page">
      <p>
        Nothing is at <code>{`#/${path.join('/')}`}</code>. Go to the <a href={buildHref('')}>list of runs</a>
        .
      </p>
    </Message>
  );
}

const source = chooseSource();

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <SourceContext value={source}>
        <QueryClientProvider client={queryClient(source)}>
          <App />
        </QueryClientProvider>
      </SourceContext>
    </CSPProvider>
  </StrictMode>,
);
