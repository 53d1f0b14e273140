import type { Hono } from 'hono';
import { stream } from 'hono/streaming';
import type { DownloadPayload } from './api.ts';
import { parseFilter, textsIn } from './parse-filter.ts';
import { RECORD_FILES } from './record-files.ts';
import type { PayloadSource } from './served-runs.ts';

const ROWS_PER_PART = 1000;

/** The addresses `runs/:id/records.csv` and `runs/:id/records.jsonl`: all rows of a filter as a file, part by part. */
export function serveDownloads(app: Hono, runs: PayloadSource): void {
  for (const [extension, { type, head, row }] of Object.entries(RECORD_FILES))
    app.get(`/api/runs/:id/records.${extension}`, async (c) => {
      const query = new URL(c.req.url).searchParams;
      const include = textsIn('include', query.getAll('include'));
      query.delete('include');
      // Checked by the guard: a link has no headers.
      query.delete('key');
      const { offset: _o, limit: _l, ...filter } = parseFilter(query);
      const id = c.req.param('id')!;
      const columns = { column: filter.column, include };
      const part = (offset: number) =>
        runs.get('runs/:id/rows', {
          id,
          include,
          ...filter,
          offset,
          limit: ROWS_PER_PART,
        }) as Promise<DownloadPayload>;
      // Before anything is sent, so that a mistake in the address is an error and not a file.
      const first = await part(0);
      c.header('Content-Type', type);
      c.header(
        'Content-Disposition',
        `attachment; filename*=UTF-8''${encodeURIComponent(`${id}.${extension}`)}`,
      );
      return stream(c, async (out) => {
        await out.write(head(columns));
        for (
          let offset = 0, { rows } = first;
          rows.length > 0;
          offset += ROWS_PER_PART, { rows } = await part(offset)
        )
          await out.write(rows.map((one) => row(one, columns)).join(''));
      });
    });
}
