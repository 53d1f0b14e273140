import { contentHash, featureText, type PromptMessage } from '../../core/index.ts';
import type { ReplyForm, Task } from '../../suites/index.ts';
import type { VisibleRecord } from '../backend.ts';
import { systemText } from './system-text.ts';

/** The slot for patient data. Only the template with the unfilled slot is stored. */
const SLOT = '{{patient_data}}';

export interface BuiltPrompt {
  /** The messages to send. */
  readonly messages: readonly PromptMessage[];
  /** The messages to store: the same with the slot unfilled. One object serves all single questions of a task, and one all its batches. */
  readonly template: readonly PromptMessage[];
  /** Neutral names of the cases, in the order of the records: a record's own id may reveal something. */
  readonly caseIds: readonly string[];
}

/** The question about one record. */
export function singlePrompt(record: VisibleRecord, task: PromptTask, form?: ReplyForm): BuiltPrompt {
  const template = templatesOf(task, form).single;
  return { messages: fill(template, featureText(record.features)), template, caseIds: [caseId(0)] };
}

/** The question about several records at once. */
export function batchPrompt(
  records: readonly VisibleRecord[],
  task: PromptTask,
  form?: ReplyForm,
): BuiltPrompt {
  const template = templatesOf(task, form).batch;
  const caseIds = records.map((_, i) => caseId(i));
  return { messages: fill(template, batchText(records.map(({ features }) => features))), template, caseIds };
}

type Features = VisibleRecord['features'];

function batchText(features: readonly Features[]): string {
  return features.map((own, i) => `<case id="${caseId(i)}">\n${featureText(own)}\n</case>`).join('\n\n');
}

/** A stored template filled again with the features of the records that were asked about; null for a template without our slot. */
export function filledPrompt(
  template: readonly PromptMessage[],
  features: readonly Features[],
  mode: 'single' | 'batch',
): PromptMessage[] | null {
  if (!hasSlot(template)) return null;
  return fill(template, mode === 'batch' ? batchText(features) : featureText(features[0]!));
}

/** Whether the slot for patient data is unfilled. */
export function hasSlot(prompt: readonly PromptMessage[]): boolean {
  return prompt.some(({ role, content }) => role === 'user' && String(content).includes(SLOT));
}

type PromptTask = Pick<
  Task,
  'labels' | 'arms' | 'defaultArm' | 'deferralReasons' | 'asksUrgency' | 'isEmergency' | 'actLabels'
>;

type Templates = Readonly<Record<'single' | 'batch', readonly PromptMessage[]>>;

/** By the form of the reply: with reasoning, and without. */
const templatesByTask = {
  reasoned: new WeakMap<PromptTask, Templates>(),
  plain: new WeakMap<PromptTask, Templates>(),
};

function templatesOf(task: PromptTask, { reasoning = true }: ReplyForm = {}): Templates {
  const byTask = templatesByTask[reasoning ? 'reasoned' : 'plain'];
  const known = byTask.get(task);
  if (known) return known;
  const { instructions } = task.arms[task.defaultArm]!;
  const template = (mode: 'single' | 'batch', content: string): PromptMessage[] => [
    { role: 'system', content: systemText(mode, { ...task, instructions, reasoning }) },
    { role: 'user', content },
  ];
  const templates = {
    single: template('single', `<case>\n${SLOT}\n</case>`),
    batch: template('batch', SLOT),
  };
  byTask.set(task, templates);
  for (const made of Object.values(templates)) {
    // Rows refer to these objects: nothing can be written into them.
    for (const message of made) Object.freeze(message);
    ownTemplates.add(Object.freeze(made));
  }
  return templates;
}

/** Known by the objects themselves, so that a backend of the user's own cannot pass its prompt off as a template. */
const ownTemplates = new WeakSet<readonly PromptMessage[]>();

/** Whether this is a prompt template of Krisis's own, which holds no patient data. */
export function isOwnTemplate(prompt: readonly PromptMessage[]): boolean {
  return ownTemplates.has(prompt);
}

/** Fills the one slot, in the user's message: the same mark in the data or in a task's text is left alone. */
function fill(template: readonly PromptMessage[], data: string): PromptMessage[] {
  return template.map((message) =>
    // A function, because `$&` and the like have a meaning in replacement texts.
    message.role === 'user' ? { ...message, content: message.content.replace(SLOT, () => data) } : message,
  );
}

function caseId(index: number): string {
  return `case_${index + 1}`;
}

/** Changes when the wording of the frame changes: part of a run's identity. */
export function promptFrameHash(form: ReplyForm): string {
  const task: PromptTask = {
    labels: ['a', 'b'],
    defaultArm: 'any',
    arms: { any: { instructions: '' } },
    asksUrgency: true,
  };
  const record: VisibleRecord = { id: '', features: { measured: 1, missing: null, text: '</case>' } };
  const single = singlePrompt(record, task, form);
  const batch = batchPrompt([record, record], task, form);
  return contentHash([single.template, single.messages, batch.template, batch.messages]).slice(0, 16);
}
