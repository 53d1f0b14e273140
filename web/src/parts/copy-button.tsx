import { useEffect, useState } from 'react';

const SHOWN_MS = 1500;

interface CopyProps {
  /** What the button copies, as a text or as what makes it. */
  readonly text: string | (() => string);
  /** What the button shows: `Copy reply`. */
  readonly label: string;
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, label }: CopyProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () =>
    setSaid((await copied(typeof text === 'string' ? text : text())) ? 'Copied' : 'Not copied');
  return (
    <button type="button" className="copy" onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** Browsers offer a clipboard only to pages of this machine or over TLS; others can still copy what is selected. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement('textarea');
    box.value = text;
    box.className = 'unseen';
    const focused = document.activeElement;
    document.body.append(box);
    box.select();
    const done = document.execCommand('copy');
    box.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return done;
  }
}
