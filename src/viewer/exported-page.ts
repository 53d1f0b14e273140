const DATA = '<script src="./data/site.js"></script>';

/** The app's page for an export: data load before the app, and scripts are classic, since browsers load no modules from disk; `defer` makes them wait for the page. */
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
