import { useEffect } from 'react';

/** Sets the title of the page, which browser tabs and screen readers use. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Krisis`;
  }, [title]);
}
