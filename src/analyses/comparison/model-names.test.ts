import { expect, it } from 'vitest';
import { modelNames } from './model-names.ts';

it('adds the run file only where the model alone would not tell', () => {
  const run = (backendName: string, path: string | null) => ({ backendName, path });
  expect(modelNames([run('a', 'x/1.db'), run('b', 'x/2.db')])).toEqual(['a', 'b']);
  expect(modelNames([run('a', 'x/1.db'), run('a', 'y/2.db')])).toEqual(['a (1.db)', 'a (2.db)']);
  expect(modelNames([run('a', 'x/1.db'), run('a', 'y/1.db')])).toEqual(['a (1.db) #1', 'a (1.db) #2']);
  expect(modelNames([run('a', null), run('a', null)])).toEqual(['a #1', 'a #2']);
});
