import { quoted } from '../../core/index.ts';
import type { Roles } from './roles.ts';

const words = (text: string) => text.split(' ');

/** What a column of one of these names usually holds, the keys that keep it from the model, and the names in small letters without signs between them. */
const REVEALING = [
  {
    what: 'a mark of emergencies',
    keys: 'must_act',
    names: words('mustact emergency emergencies isemergency emergent urgent isurgent urgency trueurgency'),
  },
  {
    what: 'the right answer',
    keys: 'label, or under metadata',
    names: words(
      'label labels truelabel goldlabel groundtruth truth gold goldstandard ytrue target class outcome answer rightanswer correctanswer expectedanswer solution diagnosis diagnoses finaldiagnosis truediagnosis dischargediagnosis dx icd icdcode icd10 icd10code',
    ),
  },
  {
    what: 'a mark of cases to defer',
    keys: 'should_abstain',
    names: words('shouldabstain shoulddefer mustdefer mustabstain abstain defer unanswerable'),
  },
  {
    what: 'reasons to defer',
    keys: 'should_abstain_reasons',
    names: words('shouldabstainreasons shouldabstainreason shoulddeferreasons whyabstain whydefer'),
  },
  {
    what: 'an identifier',
    keys: 'id, or under metadata',
    names: words(
      'id identifier uid uuid mrn ssn nhsnumber name patientname fullname firstname lastname surname birthdate dateofbirth dob',
    ),
    pattern:
      /^(?:case|patient|person|participant|subject|record|row|study|sample|encounter|visit|admission|stay|hadm|hospital)(?:id|identifier)$|^(?:case|patient|participant|subject|record|row|study|hospital|medicalrecord)(?:no|nr|num|number)$/,
  },
] as const;

/**
 * Warns of columns that the model sees and whose names are those of an answer key or an identifier, and says what to do about each.
 *
 * @example
 * ```ts
 * revealingNames([{ name: 'Case No', feature: 'Case No' }, { name: 'age', feature: 'Age (years)' }])
 * // => ['column "Case No" is shown to the model, and by its name it is an identifier: name it under id, or under metadata']
 * ```
 */
export function revealingNames(shown: readonly Pick<Roles['shown'][number], 'name' | 'feature'>[]): string[] {
  return shown.flatMap(({ name, feature }) => {
    const found = revealing(name) ?? revealing(feature);
    if (found === undefined) return [];
    const { what, keys } = found;
    return [
      `column ${quoted(name)} is shown to the model, and by its name it is ${what}: name it under ${keys}`,
    ];
  });
}

function revealing(name: string) {
  const letters = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return REVEALING.find(
    (kind) => kind.names.includes(letters) || ('pattern' in kind && kind.pattern.test(letters)),
  );
}
