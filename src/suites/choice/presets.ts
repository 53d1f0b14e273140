/** Which columns of a published set hold what. */
interface Mapping {
  readonly id?: string;
  readonly question: string;
  readonly context?: string;
  readonly options?: string | readonly string[];
  readonly label: string;
  readonly labelIs?: 'letter' | 'index';
  readonly labels?: readonly string[];
  readonly subject?: string;
}

/** A published multiple-choice set. Its file is the user's. */
interface Preset {
  readonly title: string;
  /** Where the authors publish it. */
  readonly source: string;
  readonly licence: string;
  /** The page that states the licence. */
  readonly licencePage: string;
  readonly citation: string;
  /** The forms in which its files are around; the first is the usual one. */
  readonly forms: readonly [Mapping, ...Mapping[]];
}

export const PRESET_NAMES = ['medqa', 'medmcqa', 'pubmedqa', 'mmlu', 'mediq'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

const MEDQA: Mapping = { question: 'question', options: 'options', label: 'answer_idx', labelIs: 'letter' };

/** The sets whose columns are known. */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  medqa: {
    title: 'MedQA, questions of the USMLE',
    source: 'https://github.com/jind11/MedQA',
    licence: 'MIT',
    licencePage: 'https://github.com/jind11/MedQA/blob/master/LICENSE',
    citation: 'Jin and others 2021, Applied Sciences 11:6421',
    forms: [
      MEDQA,
      {
        id: 'id',
        question: 'sent1',
        options: ['ending0', 'ending1', 'ending2', 'ending3'],
        label: 'label',
        labelIs: 'index',
      },
    ],
  },
  medmcqa: {
    title: 'MedMCQA, questions of Indian entrance examinations',
    source: 'https://github.com/medmcqa/medmcqa',
    licence: 'Apache-2.0',
    licencePage: 'https://github.com/medmcqa/medmcqa/blob/main/README.md',
    citation: 'Pal, Umapathi and Sankarasubbu 2022, PMLR 174:248-260',
    forms: [
      {
        id: 'id',
        question: 'question',
        options: ['opa', 'opb', 'opc', 'opd'],
        label: 'cop',
        labelIs: 'index',
        subject: 'subject_name',
      },
    ],
  },
  pubmedqa: {
    title: 'PubMedQA, questions about abstracts of PubMed',
    source: 'https://github.com/pubmedqa/pubmedqa',
    licence: 'MIT',
    licencePage: 'https://github.com/pubmedqa/pubmedqa/blob/master/LICENSE',
    citation: 'Jin and others 2019, EMNLP-IJCNLP, 2567-2577',
    forms: [
      {
        id: 'key',
        question: 'QUESTION',
        context: 'CONTEXTS',
        label: 'final_decision',
        labels: ['yes', 'no', 'maybe'],
      },
    ],
  },
  mmlu: {
    title: 'MMLU, its medical subjects among 57',
    source: 'https://github.com/hendrycks/test',
    licence: 'MIT',
    licencePage: 'https://github.com/hendrycks/test/blob/master/LICENSE',
    citation: 'Hendrycks and others 2021, ICLR',
    forms: [
      { question: 'question', options: 'choices', label: 'answer', labelIs: 'index', subject: 'subject' },
    ],
  },
  mediq: {
    title: 'MediQ, questions of MedQA with their context in sentences',
    source: 'https://github.com/stellalisy/mediQ',
    licence: 'CC BY 4.0',
    licencePage: 'https://github.com/stellalisy/mediQ/blob/main/readme.md',
    citation: 'Li and others 2024, NeurIPS, arXiv:2406.00922',
    forms: [{ ...MEDQA, id: 'id', context: 'context' }],
  },
};

function isPresetName(name: unknown): name is PresetName {
  return PRESET_NAMES.some((known) => known === name);
}

/** A definition with what its preset says where it says nothing itself. A published set is public. */
export function withPreset(definition: object): object {
  const { preset } = definition as { readonly preset?: unknown };
  if (!isPresetName(preset)) return definition;
  const { source, licence, citation, forms } = PRESETS[preset];
  return { ...forms[0], sensitivity: 'public', provenance: { source, licence, citation }, ...definition };
}

/** The definition in the form that a file has, where its set is around in several. */
export function fitForm<D extends { readonly preset?: PresetName | undefined; readonly question: string }>(
  definition: D,
  header: readonly string[],
): D {
  const { preset, question } = definition;
  if (preset === undefined || header.includes(question)) return definition;
  const fitting = PRESETS[preset].forms.find((form) => fitsForm(form, header));
  return fitting === undefined ? definition : { ...definition, ...fitting };
}

/** The preset that a file with these columns is of; the one that uses most of them. Null where it is of none. */
export function recognisePreset(header: readonly string[]): PresetName | null {
  const fitting = PRESET_NAMES.flatMap((name) => {
    const form = PRESETS[name].forms.find((one) => fitsForm(one, header));
    return form === undefined ? [] : [{ name, n: columnsIn(form).length }];
  });
  return fitting.toSorted((a, b) => b.n - a.n)[0]?.name ?? null;
}

function fitsForm(form: Mapping, header: readonly string[]): boolean {
  return columnsIn(form).every((name) => header.includes(name));
}

function columnsIn({ id, question, context, options = [], label, subject }: Mapping): string[] {
  return [id, question, context, options, label, subject].flat().filter((name) => name !== undefined);
}
