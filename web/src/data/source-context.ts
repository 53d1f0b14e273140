import { createContext, use } from 'react';
import type { Source } from './source.ts';

export const SourceContext = createContext<Source | null>(null);

export function useSource(): Source {
  const source = use(SourceContext);
  if (source === null) throw new Error('no source of data');
  return source;
}
