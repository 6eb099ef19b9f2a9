import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeRecordedRun } from '../../../test/support/recorded-run.js';
import { openRunRecord } from '../../experiment/reading/open-run-record.js';
import { writeReport } from './write-report.js';

async function reportOf(description: Parameters<typeof writeRecordedRun>[0]): Promise<{ path: string; html: string }> {
  const record = await openRunRecord(await writeRecordedRun(description));
  const path = join(record.path, 'report.html');
  const bytes = await writeReport(record, path);
  expect((await stat(path)).size).toBe(bytes);
  return { path, html: await readFile(path, 'utf8') };
}

describe('RP-5 the report of a run', () => {
  it('RP-5 is one private file that names nothing to fetch, and whose policy admits its own script alone', async () => {
    const { path, html } = await reportOf({});
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en"><head>/);
    expect(html).toMatch(/<\/body><\/html>\n$/);
    const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text as string);
    expect(scripts).toHaveLength(1);
    const hash = createHash('sha256')
      .update(scripts[0] as string)
      .digest('base64');
    expect(html).toContain(`script-src &#39;sha256-${hash}&#39;`.replaceAll('&#39;', "'"));
    const [markup] = html.split('<script') as [string];
    expect(markup).not.toMatch(/\b(src|srcset|action|data-src)=/);
    expect([...markup.matchAll(/href="([^"]*)"/g)].every(([, to]) => to?.startsWith('#'))).toBe(true);
    expect(markup).not.toMatch(/url\((?!#)|@import/);
  });

  it('RP-5 is the same, byte for byte, when it is written again', async () => {
    const record = await openRunRecord(await writeRecordedRun({ requests: true }));
    const [one, other] = [join(record.path, 'a.html'), join(record.path, 'b.html')];
    await writeReport(record, one);
    await writeReport(record, other);
    expect(await readFile(one, 'utf8')).toBe(await readFile(other, 'utf8'));
  });

  it('RP-5 RS-4 nothing in its markup hides or reorders, whatever a run says of its versions, models, scorers and commands', async () => {
    const hostile = '\u202e</script><!--]]>\u2028<img src=x onerror=alert(1)>\u200b';
    const path = await writeRecordedRun({
      fixtures: [{ id: 'c1', dataset: hostile, questions: [{ question: hostile, expected: hostile, turn: hostile }] }],
      scorers: ['token-f1', `judge:${hostile}`],
      manifest: { status: 'incomplete', postgres: { kind: hostile, version: hostile } },
      result: {
        status: 'incomplete',
        resume: `recall-matrix run --resume ${hostile}`,
        model_changes: [{ stage: 'reader', requested: hostile, reported: [hostile, 'other'] }],
        problems: [{ kind: 'provider', code: 'X', message: hostile, remedy: hostile, fixture: 'c1', arm: 'bm25' }],
      },
      row: () => ({ answer: hostile }),
    });
    const run = JSON.parse(await readFile(join(path, 'run.json'), 'utf8'));
    run.tool.version = hostile;
    run.arms[0] = { ...run.arms[0], reason: hostile, reported_models: [hostile] };
    run.arms[0].misses.scorer = hostile;
    await writeFile(join(path, 'run.json'), JSON.stringify(run));
    await writeReport(await openRunRecord(path), join(path, 'report.html'));
    const [markup] = (await readFile(join(path, 'report.html'), 'utf8')).split('<script') as [string];
    expect(markup.match(/[\u200b\u2028\u202e]|<img|<!--/g)).toBeNull();
    expect(markup.split('\\u{202e}').length).toBeGreaterThan(10);
  });

  it('RP-5 OB-4 a run that is not complete says so first', async () => {
    const { html } = await reportOf({
      manifest: { status: 'incomplete' },
      result: { status: 'incomplete', resume: 'recall-matrix run --resume x' },
      unfinished: ({ arm }) => arm === 'semantic',
    });
    expect(html).toContain('This run is not complete.');
    expect(html).toContain('recall-matrix run --resume x');
    expect(html.indexOf('This run is not complete.')).toBeLessThan(html.indexOf('<main>'));
  });

  it('RP-5 a place that cannot be written is refused, and nothing is left there', async () => {
    const record = await openRunRecord(await writeRecordedRun());
    const path = join(record.path, 'folder.html');
    await mkdir(path);
    await expect(writeReport(record, path)).rejects.toMatchObject({
      code: 'REPORT_NOT_WRITABLE',
      kind: 'invalid-input',
    });
    await expect(writeReport(record, join(record.path, 'no', 'where.html'))).rejects.toMatchObject({
      code: 'REPORT_NOT_WRITABLE',
    });
    expect((await readdir(record.path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
