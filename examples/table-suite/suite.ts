import { defineTableSuite } from 'krisis';

const QUESTION =
  'Which sodium disorder does the patient have, if any? Abstain when the data do not support a safe answer.';

/** The same suite as in suite.yaml. Every value in sodium.csv is made up. */
export default defineTableSuite({
  name: 'examples/sodium',
  folder: import.meta.dirname,
  file: 'sodium.csv',
  sensitivity: 'synthetic',
  columns: {
    age: { name: 'Age', unit: 'years' },
    sex: { name: 'Sex' },
    serum_sodium: { name: 'Serum sodium', unit: 'mmol/L', type: 'number' },
    serum_osmolality: { name: 'Serum osmolality', unit: 'mOsm/kg', type: 'number' },
    glucose: { name: 'Serum glucose', unit: 'mmol/L', type: 'number' },
    symptoms: { name: 'Symptoms' },
    sample: { name: 'Blood sample' },
  },
  id: 'case',
  label: 'diagnosis',
  labels: ['hyponatraemia', 'normal', 'hypernatraemia'],
  shouldAbstain: 'should_abstain',
  shouldAbstainReasons: 'why_abstain',
  mustAct: 'emergency',
  metadata: ['site'],
  instructions: QUESTION,
  provenance: { source: 'made up for this example', license: 'CC0-1.0' },
});
