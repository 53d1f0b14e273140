import type { ExportedSite } from '../../../src/viewer/browser.ts';

declare global {
  interface Window {
    /** The values in an export's files by path; undefined if a server served the page. */
    krisisExport?: Readonly<Record<string, unknown>> & { readonly site: ExportedSite };
  }
}

/** Loads files of an export, each once. Pages opened from disk can load scripts but cannot fetch. */
export function scriptData(): <T>(path: string) => Promise<T> {
  const asked = new Map<string, Promise<unknown>>();
  return <T>(path: string) => {
    const known = asked.get(path) ?? arrival(path);
    asked.set(path, known);
    return known as Promise<T>;
  };
}

function arrival(path: string): Promise<unknown> {
  return new Promise((found, failed) => {
    const script = document.createElement('script');
    const missing = () =>
      failed(
        new Error(`${path} is not part of this export. Is its folder complete? Otherwise export again.`),
      );
    script.src = path;
    script.onload = () =>
      Object.hasOwn(window.krisisExport ?? {}, path) ? found(window.krisisExport![path]) : missing();
    script.onerror = missing;
    document.head.append(script);
  });
}
