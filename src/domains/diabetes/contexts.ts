/** Clinical contexts by code, as the record words them. */
export const CONTEXTS = {
  haemoglobin_variant: 'sickle cell disease (HbSS)',
  haemoglobin_trait: "sickle cell trait (HbAS); the laboratory's HbA1c method is not affected by it",
  recent_transfusion: 'red cells transfused three weeks ago',
  recent_blood_loss: 'major bleeding a month ago',
  haemolysis: 'chronic haemolytic anaemia',
  g6pd_deficiency: 'G6PD deficiency',
  erythropoietin: 'treated with erythropoietin',
  haemodialysis: 'on maintenance haemodialysis',
  iron_deficiency_anaemia: 'untreated iron-deficiency anaemia',
  hiv_treatment: 'HIV, on antiretroviral treatment',
  pregnancy: 'pregnant, 27 weeks',
  postpartum: 'gave birth four weeks ago',
  acute_illness: 'in hospital with pneumonia',
  glucocorticoids: 'high-dose prednisolone for three weeks',
  glucose_lowering_drug: 'takes metformin for weight',
  unrelated: 'treated hypothyroidism',
} as const;
export type Context = keyof typeof CONTEXTS;
export const CONTEXT_CODES = Object.keys(CONTEXTS) as Context[];

/** Other wordings of a context. */
const OTHER_WORDS: readonly (readonly [words: string, context: Context])[] = [
  ['takes metformin for polycystic ovaries', 'glucose_lowering_drug'],
  ['takes tablets or insulin that lower glucose', 'glucose_lowering_drug'],
  ['pregnant', 'pregnancy'],
  ['seasonal allergy', 'unrelated'],
  ['knee replacement last year', 'unrelated'],
];

/** The wordings of an unrelated context. */
export const UNRELATED = [
  'treated hypothyroidism',
  'seasonal allergy',
  'knee replacement last year',
] as const;

const BY_WORDS = new Map<unknown, Context>([
  ...CONTEXT_CODES.map((code) => [CONTEXTS[code], code] as const),
  ...OTHER_WORDS,
]);

/** The context that words in a record mean; null where nothing is recorded. */
export function findContext(words: unknown): Context | null {
  return BY_WORDS.get(words) ?? null;
}

/** Results taken longer ago than this many days were taken before the context began, and it would not touch them. */
const BEGAN_DAYS_AGO: Partial<Readonly<Record<Context, number>>> = {
  recent_transfusion: 20,
  recent_blood_loss: 28,
  postpartum: 26,
  acute_illness: 6,
  glucocorticoids: 20,
};

/** How many days ago a result may have been taken so that the context concerns it; `otherwise` where it has lasted longer. */
export function oldestWithin(context: Context | null, otherwise: number): number {
  return (context === null ? undefined : BEGAN_DAYS_AGO[context]) ?? otherwise;
}

/** Where HbA1c must not be used: red cells that live shorter, are new, or carry another haemoglobin. A trait does not disturb the assay. */
const HBA1C_NOT_VALID: ReadonlySet<Context> = new Set([
  'haemoglobin_variant',
  'recent_transfusion',
  'recent_blood_loss',
  'haemolysis',
  'g6pd_deficiency',
  'erythropoietin',
  'haemodialysis',
  'iron_deficiency_anaemia',
  'hiv_treatment',
  'pregnancy',
  'postpartum',
]);

export function invalidatesHba1c(context: Context | null): boolean {
  return context !== null && HBA1C_NOT_VALID.has(context);
}

/** Glucose raised by acute illness or steroids proves nothing. */
export function raisesGlucose(context: Context | null): boolean {
  return context === 'acute_illness' || context === 'glucocorticoids';
}

/** What no HbA1c can be read in, as the rules name it. */
export const HBA1C_NOT_VALID_IN =
  'sickle cell disease, G6PD deficiency, haemolysis, recent transfusion or blood loss, erythropoietin, haemodialysis, iron-deficiency anaemia, HIV under treatment, pregnancy and the weeks after birth (a trait that does not affect the method does not matter)';
