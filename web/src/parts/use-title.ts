import { useEffect } from 'react';
import { visibleText } from '../../../src/viewer/browser.ts';

/** Sets the title of the page, which browser tabs and screen readers use. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visibleText(title)} – Krisis`;
  }, [title]);
}
