import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { chooseSource } from './data/choose-source.ts';
import { SourceContext } from './data/source-context.ts';
import './style.css';

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <SourceContext value={chooseSource()}>
      <App />
    </SourceContext>
  </StrictMode>,
);
