import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { KeptLabels } from './kept-labels.ts';
import { fileName, labelsFile, type Packet, readLabelsFile } from './packet.ts';

interface PacketFileProps {
  readonly packet: Packet;
  readonly kept: KeptLabels;
  /** Called when the labels of a file were added. */
  readonly onLoaded: () => void;
}

/** The file that the reviewer sends back: whether all labels are in it, saving it, and continuing from one. */
export function PacketFile({ packet, kept, onLoaded }: PacketFileProps) {
  const unsaved = useSyncExternalStore(kept.subscribe, kept.unsaved);
  const isKept = useSyncExternalStore(kept.subscribe, kept.isKept);
  const total = useSyncExternalStore(kept.subscribe, () => kept.labels().length);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const save = async () => {
    const labels = kept.labels();
    download(fileName(packet), JSON.stringify(await labelsFile(packet, labels), null, 1));
    kept.setSaved(labels.length);
  };
  const saveKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (kept.labels().length > 0) void save();
  });
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (kept.unsaved() > 0) event.preventDefault();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => saveKey(event);
    const onLeave = (event: BeforeUnloadEvent) => warn(event);
    window.addEventListener('keydown', onKey);
    window.addEventListener('beforeunload', onLeave);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('beforeunload', onLeave);
    };
  }, []);
  const load = async (file: File | undefined) => {
    if (file === undefined) return;
    const labels = await readLabelsFile(packet, await file.text());
    setProblem(null);
    if (typeof labels === 'string') return setProblem(labels);
    const wasSaved = kept.unsaved() === 0;
    kept.add(labels);
    // The file that was just read has all of them.
    if (wasSaved) kept.setSaved(kept.labels().length);
    onLoaded();
  };
  return (
    <div className={unsaved > 0 ? 'packet-file notice' : 'packet-file panel'}>
      <p role="status">{stateText({ unsaved, total, isKept, isProtected: packet.session.protected })}</p>
      <div className="steps">
        <button
          type="button"
          disabled={total === 0}
          aria-keyshortcuts="Control+S"
          onClick={() => void save()}
        >
          Save the file
        </button>
        <button type="button" onClick={() => input.current?.click()}>
          Continue from a file
        </button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label="A file that this packet saved"
          onChange={(event) => {
            void load(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
      {problem !== null && (
        <p role="alert" className="strong">
          {problem}
        </p>
      )}
    </div>
  );
}

interface FileState {
  readonly unsaved: number;
  readonly total: number;
  readonly isKept: boolean;
  readonly isProtected: boolean;
}

function stateText({ unsaved, total, isKept, isProtected }: FileState): string {
  if (total === 0)
    return isProtected
      ? 'No labels yet. This packet stores nothing in the browser: save the file before you close the page.'
      : 'No labels yet. When you are done, save the file and send it back.';
  if (unsaved === 0)
    return `A file with all ${total} labels was saved. Send it back to whoever sent you this packet.`;
  const are = unsaved === 1 ? '1 label is in no file yet.' : `${unsaved} labels are in no file yet.`;
  return isKept
    ? `${are} This browser keeps them until you save the file.`
    : `${are} They are lost if this page is closed: save the file.`;
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
