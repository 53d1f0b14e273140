import { CASE_WORDS, DECISION_WORDS, type DecisionClass, HARMS } from '../../../src/viewer/browser.ts';

const SIGNS: Readonly<Record<DecisionClass, string>> = {
  missed_emergency: '!!',
  answered_should_defer: '✗',
  wrong_answer: '✗',
  deferred_without_need: '–',
  unusable: '?',
  failed: '·',
  answered_either: '~',
  deferred_either: '~',
  rightly_deferred: '✓',
  right_answer: '✓',
};

/** How a decision turned out, by a sign and words, so that colour is never the only cue. */
export function Decision({ name }: { name: DecisionClass | null }) {
  if (name === null) return <span className="quiet">not asked</span>;
  return (
    <span className={`decision ${name}`}>
      <span className="sign" aria-hidden="true">
        {SIGNS[name]}
      </span>{' '}
      {DECISION_WORDS[name]}
    </span>
  );
}

export function isHarm(name: string | null): boolean {
  return (HARMS as readonly (string | null)[]).includes(name);
}

/** `null` is the value of records that were not asked. */
export function decisionWords(name: string): string {
  return name === 'null' ? 'not asked' : (DECISION_WORDS[name as DecisionClass] ?? name);
}

export function caseWords(kind: string): string {
  return CASE_WORDS[kind as keyof typeof CASE_WORDS] ?? kind;
}
