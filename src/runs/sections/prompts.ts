import { isJudged } from '../../analyses/judging/judged-result.ts';
import { details, paragraph, section } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { cut } from '../../reports/words.ts';
import type { RunResult } from '../run-result.ts';

/** A user's own backend may store a prompt for each row. */
const MAX_TEMPLATES = 20;
const MAX_LENGTH = 20_000;

/** The prompts as they are stored: the template, with the slot for patient data still marked. */
export function prompts(report: RunResult): Section {
  const { instructions, arm } = isJudged(report) ? { instructions: null, arm: null } : report;
  const templates = report.extras.prompt_templates;
  const shown = templates.slice(0, MAX_TEMPLATES);
  return section({ id: 'prompts', title: 'Prompt templates', except: ['text'] }, [
    instructions !== null && paragraph(`Instructions of arm ${arm ?? 'not stated'}:`),
    instructions !== null && code(instructions),
    paragraph(
      templates.length === 0
        ? 'No prompt was captured: the backend sends none, or the run does not hold them.'
        : 'Templates as sent, patient data redacted:',
    ),
    ...shown.map(({ prompt_mode: mode, prompt }, i) =>
      details(`Template ${i + 1} (${mode})`, promptBlocks(prompt)),
    ),
    ...judgeRules(report),
    shown.length < templates.length &&
      paragraph(`${shown.length} of ${templates.length} templates are shown; the run file has all of them.`),
  ]);
}

/** Rules of the user's own that judges were given. */
function judgeRules({ judging }: RunResult): Block[] {
  return (judging?.judge.judges ?? []).flatMap(({ name, settings }) =>
    settings?.rules == null ? [] : [paragraph(`Your own rules for the judge ${name}:`), code(settings.rules)],
  );
}

function promptBlocks(prompt: unknown): Block[] {
  const isMessages = Array.isArray(prompt) && prompt.every((message) => typeof message?.content === 'string');
  if (!isMessages) return [code(typeof prompt === 'string' ? prompt : JSON.stringify(prompt, null, 2))];
  const messages: readonly { readonly role?: unknown; readonly content: string }[] = prompt;
  return messages.flatMap(({ role, content }) => [
    paragraph(String(role ?? 'message'), { tone: 'small' }),
    code(content),
  ]);
}

function code(text: string): Block {
  return { kind: 'code', text: cut(text, MAX_LENGTH) };
}
