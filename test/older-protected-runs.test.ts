import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { command, query, workingFolder } from './emulated-run.ts';
import { everyAddress } from './every-address.ts';
import { textIn } from './text-in-file.ts';

/** Protected runs of older versions, with all that these versions stored: names in metadata, reasons in words, texts of the model, messages of the provider. */
const CANARY = 'Quibblewick';

function olderRun(version: string, folder: string): string {
  const path = join(folder, 'old.db');
  copyFileSync(`test/fixtures/${version}/protected.db`, path);
  const db = new DatabaseSync(path);
  db.exec(`
    UPDATE records SET metadata = json_set(metadata, '$.nurse', '${CANARY} ' || (position % 3), '$.should_abstain_reasons', json_array('missing_sodium', '${CANARY} said so'));
    UPDATE rows SET raw_response = 'The case of ${CANARY}: ' || raw_response;
    UPDATE rows SET state = 'invalid', state_reason = 'prediction_is_no_label', prediction = '"${CANARY}"' WHERE record_id = 'S03';
    UPDATE calls SET error = 'transient: no room for ${CANARY}', raw_response = '${CANARY}', model_id = '${CANARY}';
    UPDATE manifest SET value = json_set(value, '$.deferral.reasons', json_object('${CANARY} said so', 3, 'missing_sodium', 2)) WHERE key = 'suite';
    UPDATE manifest SET value = json_set(value, '$.model_ids', json_array('${CANARY}')) WHERE key = 'extras';
    UPDATE manifest SET value = '"quota: ${CANARY} has none left"' WHERE key = 'stopped_because';
    UPDATE manifest SET value = json_set(value, '$.subgroups.nurse', json_array('${CANARY} 0'), '$.facets.reason', json_array('${CANARY} said so')) WHERE key = 'overview';
  `);
  db.close();
  return path;
}

const FORMATS = ['text', 'json', 'metrics-json', 'md', 'html', 'junit', 'csv', 'latex'];

describe.each(['v0.1', 'schema-4'])('a protected run of %s', (version) => {
  it('shows only what is kept of protected data, in reports, bundles and exports', async () => {
    const cwd = workingFolder();
    const path = olderRun(version, cwd);
    const before = readFileSync(path);
    expect(textIn(path)).toContain(CANARY);
    const out = join(cwd, 'out');
    mkdirSync(out);
    const said: string[] = [];
    const say = async (...args: string[]) => {
      const { code, stdout, stderr } = await command(args, cwd);
      // Nothing can be said of a file without a chain: 3.
      expect([args, code]).toEqual([args, args[0] === 'verify' ? 3 : 0]);
      said.push(stdout, stderr);
    };
    for (const format of FORMATS) await say('report', 'old.db', '--format', format, '-o', `out/r.${format}`);
    await say('list', '.');
    await say('verify', 'old.db');
    await say('compare', 'old.db', 'old.db');
    await say('bundle', 'export', 'old.db', '-o', 'out/old.krisis');
    await say('bundle', 'export', 'old.db', '-o', 'out/all.krisis', '--include-features');
    await say('view', 'old.db', '--export', 'out/site');
    await say('view', 'old.db', '--export', 'out/site-with-text', '--include-text');
    await say('bundle', 'import', 'out/old.krisis');
    const answers = await everyAddress('.', cwd);
    expect([...answers].filter(([, answer]) => answer.includes(CANARY))).toEqual([]);
    expect(answers.get('api/runs/old/records/S01')).toMatch(/^200 /);
    expect(said.join('\n')).not.toContain(CANARY);
    const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name !== 'old.db' && statSync(join(cwd, name)).isFile(),
    );
    expect(files.filter((name) => textIn(join(cwd, name)).includes(CANARY))).toEqual([]);
    // What scores rest on is still there, and the run itself was not touched.
    const { evaluation_results: rows } = JSON.parse(readFileSync(join(out, 'r.json'), 'utf8'));
    expect(rows[0].metadata).toEqual({ should_abstain: false, should_abstain_reasons: ['missing_sodium'] });
    expect(query(join(out, 'old.krisis'), 'SELECT 1 FROM rows WHERE raw_response IS NOT NULL')).toEqual([]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('a protected run of open questions of v0.1', () => {
  it('shows verdicts and no texts', async () => {
    const cwd = workingFolder();
    const path = join(cwd, 'old.db');
    copyFileSync('test/fixtures/v0.1/questions.db', path);
    const db = new DatabaseSync(path);
    db.exec(`
      UPDATE manifest SET value = '"protected"' WHERE key = 'sensitivity';
      UPDATE records SET features = json_set(features, '$.question', 'May ${CANARY} go home?'), metadata = json_set(metadata, '$.nurse', '${CANARY}');
      UPDATE rows SET raw_response = '${CANARY} may go home.';
      UPDATE judgements SET outcome = json_set(outcome, '$.verdicts[0].quotes', json('[{"text": "${CANARY} may", "start": 0, "end": 15}]'), '$.traits', json('[{"name": "${CANARY}", "value": "${CANARY} may"}]'), '$.problems', json('[{"id": "${CANARY}", "trait": "${CANARY}", "reason": "unknown_item"}]'))
    `);
    db.close();
    for (const format of ['text', 'json', 'html', 'csv', 'md'])
      expect((await command(['report', 'old.db', '--format', format, '-o', `r.${format}`], cwd)).code).toBe(
        0,
      );
    for (const more of [[], ['--include-text']])
      await command(['view', 'old.db', '--export', `site${more.length}`, ...more], cwd);
    await command(['bundle', 'export', 'old.db', '-o', 'all.krisis', '--include-features'], cwd);
    const answers = await everyAddress('.', cwd);
    expect([...answers].filter(([, answer]) => answer.includes(CANARY))).toEqual([]);
    const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name !== 'old.db' && statSync(join(cwd, name)).isFile(),
    );
    expect(files).toEqual(expect.arrayContaining(['r.json', 'all.krisis']));
    expect(files.filter((name) => textIn(join(cwd, name)).includes(CANARY))).toEqual([]);
    const { evaluation_results: rows } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
    expect(rows[0].rubric.verdicts.length).toBeGreaterThan(0);
    expect(rows[0].raw_response).toBeNull();
  });
});
