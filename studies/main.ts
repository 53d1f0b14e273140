import { resolve } from 'node:path';

/** `npm run study NAME CHECKOUT [OUTPUT]`: writes the page of a study, its figures and its numbers. */
const STUDIES = {
  escalation: 'cortico-health/MedSafe-Dx',
  triage: 'medaks/medask-benchmarks',
  conversation: 'rajpurkarlab/craft-md',
} as const;

const [name = '', data, output] = process.argv.slice(2);
if (!Object.hasOwn(STUDIES, name) || data === undefined) {
  const lines = Object.entries(STUDIES).map(
    ([study, repository]) => `  npm run study ${study} CHECKOUT    (of ${repository})\n`,
  );
  process.stderr.write(`which study, and which data?\n${lines.join('')}`);
  process.exit(2);
}
const folder = resolve(import.meta.dirname, name);
const { runStudy } = (await import(`./${name}/study.ts`)) as typeof import('./escalation/study.ts');
runStudy(resolve(data), resolve(output ?? folder));
process.stdout.write(`${resolve(output ?? folder, 'README.md')}\n`);
