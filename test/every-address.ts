import { ADDRESSES } from '../src/viewer/addresses.ts';
import { startView } from './view-process.ts';

/** What the viewer answers over HTTP at every address it has, for every run of a folder and its first records, by path. */
export async function everyAddress(
  folder: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Map<string, string>> {
  const view = await startView(folder, cwd, env);
  const answers = new Map<string, string>();
  const get = async (path: string) => {
    const response = await fetch(`${view.url}${path}`);
    const headers = JSON.stringify([...response.headers]);
    const body = await response.text();
    answers.set(path, `${response.status} ${headers}\n${body}`);
    return response.ok ? body : null;
  };
  try {
    await get('');
    const ids = (JSON.parse((await get('api/runs'))!).runs as { id: string }[]).map(({ id }) => id);
    for (const path of Object.keys(ADDRESSES)) {
      if (path === 'runs') continue;
      if (path === 'compare') {
        for (const b of ids.slice(1)) await get(`api/compare?${new URLSearchParams({ a: ids[0]!, b })}`);
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
    for (const id of ids) await get(`api/runs/${encodeURIComponent(id)}/records?sort=confidence&limit=5`);
  } finally {
    await view.stop();
  }
  return answers;
}
