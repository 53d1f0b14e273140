import { readFileSync } from 'node:fs';
import type { ReportDocument } from '../../document/document.ts';
import { type Content, html, markupText, raw } from './html.ts';

interface Page extends Pick<ReportDocument, 'title' | 'sections' | 'footer'> {
  readonly header: Content;
  readonly main: Content;
}

/** Nothing may be loaded and nothing may run: a report is read, and data in it that we failed to escape could still do nothing. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8').replace(/\n\s*/g, ' ');

/** The frame of a report: one file that needs nothing else, without script. */
export function page({ title, header, sections, main, footer }: Page): string {
  return markupText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<div class="page">
<header>${header}
<nav aria-label="Contents"><ul>${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
</header>
<main>
${main}
</main>
<footer><p>${footer}</p></footer>
</div>
</body>
</html>
`);
}
