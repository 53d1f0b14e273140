import { type Content, html, type Markup, markupText, raw } from './html.ts';
import { STYLE } from './style.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Content;
}

interface Page {
  readonly title: string;
  readonly header: Content;
  /** What stands before everything else, without a heading in the list of contents. */
  readonly first: Content;
  readonly sections: readonly Section[];
  readonly footer: Content;
  /** Style that only this kind of page needs, after that of all pages. */
  readonly style?: string;
}

/** Nothing may be loaded, and nothing may run: a report is read, and data in it that we failed to escape could still do nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The frame of a report: one file that needs nothing else, without script. */
export function page({ title, header, first, sections, footer, style = '' }: Page): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE + style)}</style>
</head>
<body>
<div class="page">
<header>${header}
<nav aria-label="Contents"><ul>${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>
<main>
${first}
${sections.map(sectionMarkup)}
</main>
<footer>${footer}</footer>
</div>
</body>
</html>
`;
  return markupText(document);
}

function sectionMarkup({ id, title, body }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`;
}
