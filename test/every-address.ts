import { ADDRESSES } from '../src/viewer/addresses.ts';
import { startView } from './view-process.ts';

/** What the viewer answers over HTTP at every address it has, for every run of a folder and its first records, by path. */
export async function everyAddress(
  folder: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Map<string, string>> {
  const view = await startView(folder, cwd, env);
  try {
    return await answersOf(async (path) => {
      const response = await view.fetch(path);
      return { status: response.status, headers: response.headers, body: await response.text() };
    });
  } finally {
    await view.stop();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The same from whatever answers requests. */
export async function answersOf(ask: (path: string) => Promise<Answer>): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const get = async (path: string) => {
    const { status, headers, body } = await ask(path);
    answers.set(path, `${status} ${JSON.stringify([...headers])}\n${body}`);
    return status === 200 ? body : null;
  };
  await get('');
  const runs = JSON.parse((await get('api/runs'))!).runs as { id: string; suite: string }[];
  const ids = runs.map(({ id }) => id);
  for (const path of Object.keys(ADDRESSES)) {
    if (path === 'runs') continue;
    if (path === 'suites/:suite') {
      for (const { suite } of runs) await get(`api/suites/${encodeURIComponent(suite)}`);
      continue;
    }
    if (path === 'search') {
      for (const text of ['patient', 'site', 'alert']) await get(`api/search?text=${text}`);
      continue;
    }
    if (path === 'suites/:suite/cases/:record') {
      for (const { id, suite } of runs) {
        const records = await get(`api/runs/${encodeURIComponent(id)}/records?limit=5`);
        for (const { id: record } of records === null ? [] : JSON.parse(records).rows)
          await get(`api/suites/${encodeURIComponent(suite)}/cases/${encodeURIComponent(record)}`);
      }
      continue;
    }
    if (path.startsWith('compare') || path === 'differences') {
      for (const [i, a] of ids.entries())
        for (const b of ids.slice(i + 1))
          await get(`api/${path}?runs=${encodeURIComponent(a)}&runs=${encodeURIComponent(b)}`);
      continue;
    }
    for (const id of ids) {
      const ofRun = path.replace(':id', encodeURIComponent(id));
      if (!ofRun.includes(':record')) {
        await get(`api/${ofRun}`);
        continue;
      }
      const records = await get(`api/${ofRun.replace('/:record', '')}?limit=20`);
      for (const { id: record } of records === null ? [] : JSON.parse(records).rows)
        await get(`api/${ofRun.replace(':record', encodeURIComponent(record))}`);
    }
  }
  // A filter on what may not be there must not find it either.
  const every = 'include=reply&include=features&include=metadata&column=site&column=name';
  for (const id of ids.map(encodeURIComponent))
    for (const query of [
      'records?sort=confidence&limit=5&column=site&column=name',
      `records.csv?${every}`,
      `records.jsonl?${every}`,
    ])
      await get(`api/runs/${id}/${query}`);
  return answers;
}
