import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { chooseSource } from './data/choose-source.ts';
import { queryClient } from './data/query-client.ts';
import { SourceContext } from './data/source-context.ts';
import './style.css';

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
