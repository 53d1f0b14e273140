import { useEffect } from 'react';

/** The name of the page, for tabs and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Krisis`;
  }, [title]);
}
