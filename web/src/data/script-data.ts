import type { ExportedSite } from '../../../src/viewer/browser.ts';

declare global {
  interface Window {
    /** What the files of an export hold, by their path; where there is none, the page came from a server. */
    krisisExport?: Readonly<Record<string, unknown>> & { readonly site: ExportedSite };
  }
}

/** Loads files of an export, each once. A script may be loaded from disk, where a request may not. */
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
