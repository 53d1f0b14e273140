import { contentHash, featureText, type PromptMessage } from '../../core/index.ts';
import type { Task } from '../../suites/index.ts';
import type { VisibleRecord } from '../backend.ts';
import { systemText } from './system-text.ts';

/** Where patient data goes. What is stored is the template with the slot still marked. */
const SLOT = '{{patient_data}}';

export interface BuiltPrompt {
  /** What is sent. */
  readonly messages: readonly PromptMessage[];
  /** What is stored: the same with the slot for patient data still marked. One object for all single questions of a task, and one for all its batches. */
  readonly template: readonly PromptMessage[];
  /** Neutral names of the cases, in the order of the records: a record's own id may tell something. */
  readonly caseIds: readonly string[];
}

/** The question about one record. */
export function singlePrompt(record: VisibleRecord, task: PromptTask): BuiltPrompt {
  const template = templatesOf(task).single;
  return { messages: fill(template, caseText(record)), template, caseIds: [caseId(0)] };
}

/** The question about several records at once. */
export function batchPrompt(records: readonly VisibleRecord[], task: PromptTask): BuiltPrompt {
  const template = templatesOf(task).batch;
  const caseIds = records.map((_, i) => caseId(i));
  const blocks = records.map((record, i) => `<case id="${caseIds[i]}">\n${caseText(record)}\n</case>`);
  return { messages: fill(template, blocks.join('\n\n')), template, caseIds };
}

type PromptTask = Pick<Task, 'labels' | 'arms' | 'defaultArm'>;

interface Templates {
  readonly single: readonly PromptMessage[];
  readonly batch: readonly PromptMessage[];
}

const templatesByTask = new WeakMap<PromptTask, Templates>();

function templatesOf(task: PromptTask): Templates {
  let templates = templatesByTask.get(task);
  if (!templates) {
    const asked = { instructions: task.arms[task.defaultArm]!.instructions, labels: task.labels };
    templates = {
      single: [
        { role: 'system', content: systemText('single', asked) },
        { role: 'user', content: `<case>\n${SLOT}\n</case>` },
      ],
      batch: [
        { role: 'system', content: systemText('batch', asked) },
        { role: 'user', content: SLOT },
      ],
    };
    templatesByTask.set(task, templates);
  }
  return templates;
}

/** Only the user's message has a slot, and it is filled once: a slot's mark in the data, or in a task's own text, stays as it is. */
function fill(template: readonly PromptMessage[], data: string): PromptMessage[] {
  return template.map((message) =>
    // A function, since `$&` and the like have a meaning in a replacement text.
    message.role === 'user' ? { ...message, content: message.content.replace(SLOT, () => data) } : message,
  );
}

function caseId(index: number): string {
  return `case_${index + 1}`;
}

/** The features as text that cannot end its own block. */
function caseText({ features }: VisibleRecord): string {
  return featureText(features).replace(/<(?=\/\s*case\s*>)/gi, '<\\');
}

/** Changes when the wording of the frame changes: part of a run's identity. */
export const PROMPT_FRAME_HASH: string = frameHash();

function frameHash(): string {
  const task: PromptTask = { labels: ['a', 'b'], defaultArm: 'any', arms: { any: { instructions: '' } } };
  const record: VisibleRecord = { id: '', features: { measured: 1, missing: null, text: '</case>' } };
  const single = singlePrompt(record, task);
  const batch = batchPrompt([record, record], task);
  return contentHash([single.template, single.messages, batch.template, batch.messages]).slice(0, 16);
}
