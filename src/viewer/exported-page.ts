const DATA = '<script src="./data/site.js"></script>';

/** The page of the app for an export: data before the app, and no module, which a browser would not load from disk. A classic script waits for the page by `defer`. */
export function exportedPage(html: string): string {
  let isFirst = true;
  return html.replace(/<script\b([^>]*)>/g, (_, attributes: string) => {
    const plain = attributes.replace(
      /\s(?:type="module"|crossorigin(?:="[^"]*")?|defer(?:="")?)(?=\s|$)/g,
      '',
    );
    const before = isFirst ? DATA : '';
    isFirst = false;
    return `${before}<script defer${plain}>`;
  });
}
