import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { useKeydown } from './use-keydown.ts';

/** Keys by where they work. */
const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, does: string])[]])[] = [
  [
    'Everywhere',
    [
      ['Ctrl K or ⌘ K', 'go to a page, a suite, a run or a case'],
      ['?', 'show these keys'],
      ['Esc', 'close what is open'],
      ['Tab', 'next link or control'],
    ],
  ],
  [
    'Marks of a case, on the page of a run',
    [
      ['← and →', 'the case before and after'],
      ['Enter', 'open the case'],
    ],
  ],
  [
    'Cases',
    [
      ['j and k', 'next and previous case'],
      ['↓ and ↑', 'the same, while a case is open'],
    ],
  ],
];

/** A button, and `?`, for the list of keys. */
export function KeysHelp() {
  const [open, setOpen] = useState(false);
  useKeydown((event) => {
    const { target, key } = event;
    if (key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]')) return;
    event.preventDefault();
    setOpen(!open);
  });
  return (
    <>
      <button
        type="button"
        className="palette-button keys-button"
        aria-label="Keyboard help"
        aria-keyshortcuts="?"
        onClick={() => setOpen(true)}
      >
        ?
      </button>
      <Dialog open={open} close={() => setOpen(false)} title="Keys">
        {KEYS.map(([where, keys]) => (
          <table key={where} className="keys-help">
            <caption>{where}</caption>
            <tbody>
              {keys.map(([key, does]) => (
                <tr key={key}>
                  <th scope="row">
                    <kbd>{key}</kbd>
                  </th>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </Dialog>
    </>
  );
}
