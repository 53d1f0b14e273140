import { useState } from 'react';
import { buildAddress, RECORD_FILES, whole } from '../../../src/viewer/browser.ts';
import type { FacetsPayload, RecordFilter, RecordLine } from '../api.ts';
import { sessionKey } from '../data/session.ts';
import { useSource } from '../data/source-context.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Popover } from '../parts/popover.tsx';
import { saveBlob } from '../parts/save-blob.ts';
import { formatCases } from '../parts/words.ts';

/** As many rows as the server gives at once. */
const ROWS_AT_ONCE = 5000;

interface DownloadsProps {
  readonly id: string;
  readonly filter: RecordFilter;
  readonly total: number;
  /** Longer texts of rows that the server can add; none while they are hidden. */
  readonly texts: FacetsPayload['searchable'];
  /** The row without what must be hidden. */
  readonly visible: (row: RecordLine) => RecordLine;
}

/** Saves all records of the list, not only those that are in the page. */
export function Downloads({ id, filter, total, texts, visible }: DownloadsProps) {
  const source = useSource();
  const [said, setSaid] = useState<string | null>(null);
  const file = `${id}-records.jsonl`;
  const save = async (ending: 'csv' | 'jsonl') => {
    try {
      const rows: RecordLine[] = [];
      for (let offset = 0; offset < total; offset += ROWS_AT_ONCE) {
        const page = await source.get('runs/:id/records', { id, ...filter, offset, limit: ROWS_AT_ONCE });
        rows.push(...page.rows.map(visible));
        if (page.rows.length < ROWS_AT_ONCE) break;
        setSaid(`${whole(rows.length)} of ${whole(total)} …`);
      }
      const { head, row, type } = RECORD_FILES[ending];
      const lines = [head(filter), ...rows.map((one) => row(one, filter))];
      saveBlob(`${id}-records.${ending}`, new Blob([lines.join('')], { type }));
      setSaid(`saved ${formatCases(rows.length)}`);
    } catch (error) {
      setSaid(`not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <>
      <Popover className="choice-button" label="Download" title="Download">
        <p className="quiet small">{formatCases(total)}, with the columns of the list</p>
        <button type="button" onClick={() => void save('csv')}>
          CSV
        </button>{' '}
        <button type="button" onClick={() => void save('jsonl')}>
          JSONL
        </button>
        {source.live && texts.length > 0 && (
          <p className="small">
            With {texts.map((name) => (name === 'reply' ? 'replies' : name)).join(', ')}:{' '}
            {(['csv', 'jsonl'] as const).map((ending) => (
              <span key={ending}>
                <a
                  href={`api/${buildAddress(`runs/:id/records.${ending}`, { id, ...filter, include: texts, key: sessionKey() })}`}
                  download={`${id}-records-with-texts.${ending}`}
                >
                  {ending.toUpperCase()}
                </a>{' '}
              </span>
            ))}
          </p>
        )}
      </Popover>
      <Popover className="choice-button" label={`Review these ${whole(total)}`} title="Review these cases">
        <p className="quiet small">
          People decide on exactly {formatCases(total)}, without seeing model or truth. Their labels are in no
          estimate of the whole run.
        </p>
        <ol className="small">
          <li>
            <button type="button" onClick={() => void save('jsonl')}>
              Save the list
            </button>
          </li>
          <li>
            <code>{`krisis review ${id} --cases ${file}`}</code>{' '}
            <CopyButton text={`krisis review ${id} --cases ${file}`} label="Copy command" />
          </li>
        </ol>
        <p className="small">
          <CopyButton text={() => window.location.href} label="Copy the address of this list" />
        </p>
      </Popover>
      <span className="quiet small" role="status">
        {said}
      </span>
    </>
  );
}
