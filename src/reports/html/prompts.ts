import type { RunReport } from '../../results/index.ts';
import { dataDetails } from './figure.ts';
import { html, type Markup } from './html.ts';
import { cut } from './words.ts';

/** A backend of the user's own may store a prompt for each row. */
const MAX_TEMPLATES = 20;
const MAX_LENGTH = 20_000;

/** What the model was told, as it is stored: the template, with the slot for patient data still marked. */
export function promptTemplates({
  extras,
  instructions,
  arm,
}: Pick<RunReport, 'extras' | 'instructions' | 'arm'>): Markup {
  const templates = extras.prompt_templates;
  const shown = templates.slice(0, MAX_TEMPLATES);
  const left =
    shown.length < templates.length
      ? html`<p>${shown.length} of ${templates.length} templates are shown; the run file has all.</p>`
      : null;
  return html`${instructions === null ? null : html`<p>Instructions of arm ${arm ?? 'not stated'}:</p><pre>${cut(instructions, MAX_LENGTH)}</pre>`}
${templates.length === 0 ? html`<p>No prompt was captured: the backend sends none, or the run does not hold them.</p>` : html`<p>Templates as sent, patient data redacted:</p>`}
${shown.map(({ prompt_mode: mode, prompt }, i) => dataDetails(`Template ${i + 1} (${mode})`, promptText(prompt)))}
${left}`;
}

function promptText(prompt: unknown): Markup {
  const isMessages = Array.isArray(prompt) && prompt.every((message) => typeof message?.content === 'string');
  if (!isMessages)
    return html`<pre>${cut(typeof prompt === 'string' ? prompt : JSON.stringify(prompt, null, 2), MAX_LENGTH)}</pre>`;
  const messages: readonly { readonly role?: unknown; readonly content: string }[] = prompt;
  return html`${messages.map(({ role, content }) => html`<p class="small muted">${String(role ?? 'message')}</p><pre>${cut(content, MAX_LENGTH)}</pre>`)}`;
}
