/** Findings of acute organ damage, as a record words them. */
export const ORGAN_DAMAGE = [
  'sudden weakness of one side',
  'crushing chest pain with ECG changes',
  'short of breath, lung oedema on X-ray',
  'creatinine doubled in two days',
  'blurred vision, haemorrhages in the fundus',
] as const;

/** Complaints that decide nothing. */
export const SYMPTOMS = [
  'mild headache now and then',
  'tired in the afternoon',
  'occasional heartburn',
  'stiff knees in the morning',
] as const;

export const REMARKS = {
  /** States in which pressure is not the usual one, none of which needs action today. */
  acute: [
    'in pain with an ankle sprained yesterday',
    'feverish cold for three days',
    'toothache, in pain since yesterday',
  ],
  /** Remarks that decide nothing. */
  unrelated: [
    'treated hypothyroidism',
    'seasonal allergy',
    'knee replacement last year',
    'migraine, no attack for months',
  ],
  pregnant: 'pregnant, 27 weeks',
  none: 'nothing special recorded',
} as const;
