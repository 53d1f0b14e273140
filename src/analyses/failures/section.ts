import { whole } from '../../reports/charts/number-text.ts';
import { code, heading, list, paragraph, section } from '../../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../../reports/document/document.ts';
import { counted } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { RunFailure, UnusableReplies } from './failures.ts';

/** Reasons of rows recorded elsewhere come from data. */
const MAX_CAUSES = 12;

/** Why calls and rows failed, by cause, with one example and what to do. Null where nothing failed for good. */
export function failures({
  failures: found,
  status,
}: Pick<RunResult, 'failures' | 'status'>): Section | null {
  const final = forGood(found);
  const retries = retriesText(found);
  if (final.length === 0) return null;
  const isHarmless = status === 'complete' && final.every(({ nRows }) => nRows === 0);
  const more = final.length - MAX_CAUSES;
  return section({ id: 'failures', title: isHarmless ? 'Failed calls' : 'What failed' }, [
    ...final.slice(0, MAX_CAUSES).flatMap(causeBlocks),
    more > 0 && paragraph(`And ${counted(more, 'other cause')}: the JSON report has all of them.`),
    isHarmless && paragraph('No case is missing because of them: what they asked for was asked again.'),
    retries !== null && paragraph(retries, { except: ['text'] }),
  ]);
}

/** Replies that came and could not be used, by reason, with one example. They are the model's behaviour, so they are not failures of the run. */
export function unusable({ unusableReplies: found }: Pick<RunResult, 'unusableReplies'>): Section | null {
  if (found.length === 0) return null;
  const more = found.length - MAX_CAUSES;
  return section({ id: 'unusable', title: 'Replies that could not be used' }, [
    ...found
      .slice(0, MAX_CAUSES)
      .flatMap((replies) => [
        heading(replyText(replies)),
        ...makeList([replies.example !== null && ['for example: ', code(replies.example)]]),
      ]),
    more > 0 && paragraph(`And for ${counted(more, 'other reason')}: the JSON report has all of them.`),
    paragraph('They count as wrong: what a model replies is its behaviour.', { except: ['text'] }),
  ]);
}

function causeBlocks(failure: RunFailure): Block[] {
  const { advice, example } = failure;
  return [
    heading(causeText(failure)),
    ...makeList([advice, example !== null && ['for example: ', code(example)]]),
  ];
}

/** The causes of more than calls that were tried again. */
export function forGood(found: readonly RunFailure[]): readonly RunFailure[] {
  return found.filter(({ nRows, nCalls }) => nRows + nCalls > 0);
}

/** A cause in a line: `8 rows, 16 calls: a web page came back instead of JSON (HTTP 200)`. */
function causeText({ role, nRows, nCalls, says, status }: RunFailure): string {
  const whose = role === 'judge' ? ' of the judge' : '';
  const rows = role === 'judge' ? 'answer' : 'case';
  const counts = [nRows > 0 && counted(nRows, rows), nCalls > 0 && `${counted(nCalls, 'call')}${whose}`];
  return `${counts.filter(Boolean).join(', ')}: ${says}${status === null ? '' : ` (HTTP ${status})`}`;
}

/** A reason in a line: `8 rows: the reply had no JSON`. */
export function replyText({ nRows, says }: UnusableReplies): string {
  return `${counted(nRows, 'case')}: ${says}`;
}

/** A cause with what to do about it, for formats that have no blocks. */
export function adviceText(failure: RunFailure): string {
  return `${causeText(failure)}${failure.advice === null ? '' : `; ${failure.advice}`}`;
}

function retriesText(found: readonly RunFailure[]): string | null {
  const retried = found.filter(({ nRetries }) => nRetries > 0);
  if (retried.length === 0) return null;
  const n = retried.reduce((sum, { nRetries }) => sum + nRetries, 0);
  const causes = retried.map(({ says, status, nRetries }) => {
    const code = status === null ? '' : ` (HTTP ${status})`;
    return `${says}${code} ${whole(nRetries)}`;
  });
  return `Besides, ${n === 1 ? '1 call was' : `${whole(n)} calls were`} tried again: ${causes.join('; ')}.`;
}

function makeList(items: readonly (Inline | null | false)[]): Block[] {
  const shown = items.filter((item) => item !== null && item !== false);
  return shown.length === 0 ? [] : [list(shown)];
}
