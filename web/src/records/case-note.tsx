import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecordPayload } from '../api.ts';
import { useSource } from '../data/source-context.ts';
import { usePayload } from '../data/use-payload.ts';
import { OutsideText } from '../parts/outside-text.tsx';

const MAX_NOTE = 1000;

/** A note of people on one case. It can be changed where the server was started for that; the file beside the run keeps it. */
export function CaseNote({ run, record: { id, note } }: { run: string; record: RecordPayload }) {
  const { editNotes } = useSource();
  const client = useQueryClient();
  const runs = usePayload('runs', {});
  const mayEdit = editNotes !== undefined && runs.state === 'loaded' && runs.value.may_edit;
  const [text, setText] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (next: string) => editNotes!(run, { cases: { [id]: next } }),
    onSuccess: async () => {
      setText(null);
      await client.invalidateQueries();
    },
  });
  if (text === null)
    return (
      <div className="case-note">
        {note !== null && (
          <p className="run-note">
            <OutsideText text={note} />
          </p>
        )}
        {mayEdit && (
          <button type="button" className="plain small" onClick={() => setText(note ?? '')}>
            {note === null ? 'Add a note' : 'Edit the note'}
          </button>
        )}
      </div>
    );
  return (
    <form
      className="notes-form case-note"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(text);
      }}
    >
      <label>
        Note on this case
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the reader has just asked for the field
          autoFocus
          rows={3}
          value={text}
          maxLength={MAX_NOTE}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {saving.isError && (
        <p className="notice" role="alert">
          Not saved: {saving.error.message}
        </p>
      )}
      <div className="steps">
        <button type="submit" disabled={saving.isPending}>
          {saving.isPending ? 'Saving …' : 'Save'}
        </button>
        <button type="button" onClick={() => setText(null)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
