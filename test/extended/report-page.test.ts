import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestText } from '../../src/core/digest.js';
import type { Observation, RunResult } from '../../src/experiment/experiment.js';
import { openFile, screenshot, startBrowser } from '../support/browser.js';
import { command, documentOf, exits } from '../support/cli.js';
import { keptFolder } from '../support/kept-folder.js';
import { writeRecordedRun } from '../support/recorded-run.js';
import { sampleProjection } from '../support/sample-projection.js';
import { sampleVerdict } from '../support/sample-verdict.js';

const MARKUP = '</script><script>window.hacked = true</script><img src=x onerror="window.hacked = true">';
const QUOTES = `"'\`>&lt;&amp;`;
const REORDERED = 'abc\u202edef\u2066ghi\u200b\u0007';
const MEGABYTE = `${MARKUP}${'long '.repeat(200_000)}the end`;

const PROJECTION = sampleProjection(['harbour/q4'], [`Ilse ${MARKUP}`]);
const LESSON = PROJECTION.lessons[0]?.lesson as string;
const JUDGED: Partial<Observation> = {
  judgements: {
    careful: { by: 'judge', request: digestText('item'), correct: 1, verdicts: 2, nano_usd: null, cause: null },
  },
};
const SEARCHED: Partial<Observation> = {
  searches: [
    {
      query: `number 4 ${MARKUP}`,
      subjects: ['Ilse'],
      effective_strategy: 'bm25',
      lookup_miss: null,
      retrieved: ['b1.4'],
      new_lines: 1,
      request: digestText('search'),
    },
  ],
};
/** A lesson was learnt from the last question. */
const LESSONS: RunResult['lessons'] = {
  projection: `sha256:${'0'.repeat(64)}`,
  lessons: 1,
  of_unknown_origin: 0,
  calibrated: false,
  in_sample: [{ fixture: 'harbour', questions: ['harbour/q4'] }],
  pairs: [],
};

let folder: Awaited<ReturnType<typeof keptFolder>>;
let browser: Browser;
const reports = { plain: '', hostile: '', large: '', repeated: '' };

async function reportOf(
  name: keyof typeof reports,
  description: Parameters<typeof writeRecordedRun>[0],
): Promise<void> {
  const run = await writeRecordedRun({ ...description, name, folder: join(folder.path, name) });
  reports[name] = (documentOf(await exits(0, command(['report', run, '--json']))) as { path: string }).path;
}

beforeAll(async () => {
  browser = await startBrowser();
  folder = await keptFolder();
  await reportOf('plain', {
    fixtures: [
      { id: 'harbour', questions: 60 },
      { id: 'clinic', questions: [{ category: 'temporal' }, { answerable: false }] },
    ],
    arms: ['bm25', 'none', 'semantic'],
    requests: true,
    row: ({ arm, index, fixture }) => {
      if (fixture === 'clinic' && arm === 'none') return index === 0 ? 'failed' : 'lost';
      if (arm === 'none')
        return {
          scores: { 'token-f1': 0 },
          answer: 'no idea',
          miss: { cause: 'not-retrieved', turns: [`t:${index + 1}`] },
        };
      return 1;
    },
  });
  await reportOf('hostile', {
    fixtures: [
      {
        id: 'h1',
        questions: [
          {
            question: `What of ${MARKUP}?`,
            expected: `${QUOTES}${MARKUP}`,
            turn: `${REORDERED}${MARKUP}`,
          },
          { question: 'What was long?' },
        ],
      },
    ],
    requests: true,
    row: ({ arm, index }) => ({ answer: index === 1 ? MEGABYTE : arm === 'bm25' ? MARKUP : REORDERED }),
  });
  await reportOf('repeated', {
    fixtures: [{ id: 'harbour', questions: 4 }],
    repeats: 3,
    requests: true,
    result: { lessons: LESSONS },
    lessons: PROJECTION,
    verdicts: [
      sampleVerdict('item', 1, { correct: true, reason: `as expected ${MARKUP}` }),
      sampleVerdict('item', 2, { correct: false, reason: REORDERED }),
    ],
    // Of the second question two of three answers are right; the third is lost to bm25 alone.
    row: ({ arm, index, repeat }) => {
      if (index === 3) return arm === 'bm25' ? { ...SEARCHED, ...JUDGED } : { lessons: [LESSON] };
      return arm === 'bm25' && (index === 2 || (index === 1 && repeat === 2)) ? 0.2 : 1;
    },
  });
  await reportOf('large', {
    fixtures: [
      { id: 'c1', questions: 1250 },
      { id: 'c2', questions: 1250 },
    ],
    arms: ['bm25', 'none', 'semantic', 'hybrid'],
  });
});
afterAll(async () => {
  await browser?.close();
  await folder?.remove();
});

const status = (page: Page) => page.locator('.list .status');
const questions = (page: Page) => page.locator('button.question');
const ready = (page: Page) => page.waitForSelector('#question-browser[data-ready]');

describe('RP-5 the report in a browser', () => {
  it('RP-5 opens from disk without a network, asks for nothing, and says nothing on its console', async () => {
    const { page, complaints } = await openFile(browser, reports.plain);
    await ready(page);
    expect(await page.title()).toContain('plain');
    expect(await status(page).textContent()).toBe('62 questions of 62; 186 answers of 186 match');
    expect(await questions(page).count()).toBe(50);
    for (const link of await page.locator('.contents a').all()) await link.click();
    expect(complaints).toEqual([]);
    await screenshot(page, 'light');
  });

  it('RP-5 every filter finds what it says, and all are undone at once', async () => {
    const { page, complaints } = await openFile(browser, reports.plain);
    await ready(page);
    const found: Readonly<Record<string, readonly [string, string]>> = {
      Arm: ['none', '62 questions of 62; 62 answers'],
      Result: ['wrong', '60 questions of 62; 60 answers'],
      'Lost by': ['not retrieved', '60 questions of 62; 60 answers'],
      Outcome: ['failed (its own doing)', '1 question of 62; 1 answer'],
      Category: ['temporal', '1 question of 62; 3 answers'],
      Fixture: ['clinic', '2 questions of 62; 6 answers'],
    };
    for (const [label, [choice, says]] of Object.entries(found)) {
      await page.getByLabel(label, { exact: true }).selectOption({ label: choice });
      expect(await status(page).textContent(), label).toContain(says);
      await page.getByRole('button', { name: 'Show all' }).click();
      expect(await status(page).textContent(), label).toContain('62 questions of 62');
    }
    await page.getByLabel('Search').fill('number 7 of harbour');
    expect(await status(page).textContent()).toContain('1 question of 62');
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Order').selectOption({ label: 'worst first' });
    expect(page.url()).toContain('#sort=worst');
    expect(complaints).toEqual([]);
  });

  it('RP-5 a count of answers leads to those answers, and to as many', async () => {
    const { page, complaints } = await openFile(browser, reports.plain);
    await ready(page);
    await page.locator('#causes summary').click();
    const links = await page.locator('#causes a[href^="#arm="]').all();
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      await link.click();
      const count = await link.textContent();
      await expect.poll(() => status(page).textContent()).toMatch(new RegExp(`; ${count} answers? of`));
      expect(new URL(page.url()).hash).toBe(await link.getAttribute('href'));
    }
    expect(complaints).toEqual([]);
  });

  it('RP-5 LE-6 the questions that one arm alone is right about, those that lessons were learnt from, and what was answered otherwise when asked again', async () => {
    const { page, complaints } = await openFile(browser, reports.repeated);
    await ready(page);
    await page.locator('#differences a[href*="right=semantic&wrong=bm25"]').click();
    await expect.poll(() => status(page).textContent()).toContain('1 question of 4');
    expect(await questions(page).first().textContent()).toBe('What is number 3 of harbour?');
    expect(await page.getByLabel('Wrong under').inputValue()).toBe('bm25');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Right under').selectOption({ label: 'bm25' });
    expect(await status(page).textContent()).toContain('3 questions of 4');
    expect(await page.locator('.list td[data-arm="bm25"] .mark > :first-child').allTextContents()).toEqual([
      '✓',
      '2/3',
      '✓',
    ]);
    await screenshot(page, 'repeated');
    await page.getByLabel('Lessons').selectOption({ label: 'in-sample' });
    expect(await status(page).textContent()).toContain('1 question of 4');
    expect(await page.locator('.list .tag').textContent()).toBe('in-sample');
    await questions(page).first().click();
    await page.waitForSelector('.answer');
    expect(await page.locator('dialog').textContent()).toContain('in-sample: a lesson was learnt from it');
    expect(await page.locator('.answer h3').allTextContents()).toEqual(
      ['bm25', 'semantic'].flatMap((arm) => [1, 2, 3].map((repeat) => `${arm} bank 1, repeat ${repeat}`)),
    );
    const card = page.locator('.answer').first();
    for (const name of ['What it said', 'Searches it made: 1', 'What it found'])
      await card.getByText(name, { exact: true }).click();
    const shown = (await card.textContent()) ?? '';
    expect(shown).toContain('Judge careful: correct by 1 of 2 verdicts');
    expect(shown).toContain(`correct: as expected ${MARKUP}`);
    expect(shown).toContain('not correct: abc\\u{202e}def');
    expect(shown).toContain(`number 4 ${MARKUP} about Ilse by bm25; found 1 item, 1 new line for the context`);
    expect(await card.locator('.searches .retrieved').textContent()).toContain('answer 4');
    await screenshot(page, 'judged');
    const taught = page.locator('.answer').last();
    await taught.getByText('Lessons in its context: 1').click();
    expect(await taught.locator('.lessons').textContent()).toContain(
      `questions that ask when about Ilse ${MARKUP} were`,
    );
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await screenshot(page, 'taught');
    const plain = await openFile(browser, reports.plain);
    await ready(plain.page);
    expect(await plain.page.getByLabel('Lessons').count()).toBe(0);
    expect([...complaints, ...plain.complaints]).toEqual([]);
  });

  it('RP-5 a question shows its arms side by side: answer, cause, what was retrieved with its source, context, request', async () => {
    const { page, complaints } = await openFile(browser, reports.plain);
    await ready(page);
    await questions(page).nth(4).click();
    await page.waitForSelector('.answer');
    const dialog = page.locator('dialog');
    expect(await dialog.locator('.answer').count()).toBe(3);
    expect(await dialog.locator('.expected').textContent()).toContain('answer 5');
    expect(await dialog.locator('.answer').nth(1).textContent()).toContain(
      '✗ wrong (token-f1 0): not retrieved, of t:5',
    );
    await dialog.getByRole('button', { name: 'what it retrieved' }).click();
    await dialog.locator('.retrieved').first().waitFor();
    const card = await dialog.locator('.answer').first().textContent();
    expect(card).toContain('in the context');
    expect(card).toContain('carries evidence');
    expect(card).toContain('Ilse: The answer of harbour to number 5 is answer 5.');
    for (const details of await dialog.locator('.answer').first().locator('summary').all()) await details.click();
    await screenshot(page, 'question');
    expect(page.url()).toMatch(/#q=harbour\/harbour%2Fq5$/);
    const linked = await openFile(browser, reports.plain, { hash: '#q=harbour/harbour%2Fq5' });
    await linked.page.waitForSelector('dialog[open] .answer');
    expect(await linked.page.locator('dialog h2').textContent()).toContain('number 5 of harbour');
    expect([...complaints, ...linked.complaints]).toEqual([]);
  });

  it('RP-5 by keyboard alone: to the list, along it, over the end of its page, into a question, to the next, and back', async () => {
    const { page, complaints } = await openFile(browser, reports.plain);
    await ready(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip');
    for (let tabs = 0; tabs < 60; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement?.className)) === 'question') break;
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('What is number 1 of harbour?');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('What is number 2 of harbour?');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('What is number 51 of harbour?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] .answer');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('dialog h2')?.textContent?.includes('number 52'));
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog:not([open])', { state: 'attached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'What is number 52 of harbour?');
    expect(complaints).toEqual([]);
  });

  it('RS-4 hostile text is shown as text, in the list and in the details, and runs nowhere', async () => {
    const { page, complaints } = await openFile(browser, reports.hostile);
    await ready(page);
    expect(await questions(page).first().textContent()).toBe(`What of ${MARKUP}?`);
    await questions(page).first().click();
    await page.waitForSelector('.answer');
    for (const summary of await page.locator('dialog summary').all()) await summary.click();
    const text = (await page.locator('dialog').textContent()) ?? '';
    expect(text).toContain(`${QUOTES}${MARKUP}`);
    expect(text).toContain('abc\\u{202e}def\\u{2066}ghi\\u{200b}\\u{7}');
    for (const hidden of '\u202e\u2066\u200b\u0007') expect(text).not.toContain(hidden);
    expect(await page.locator('img, dialog script').count()).toBe(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await screenshot(page, 'hostile');
    expect(complaints).toEqual([]);
  });

  it('RS-4 what an injected element would do, the policy of the page forbids', async () => {
    const { page, complaints } = await openFile(browser, reports.hostile);
    await ready(page);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = true';
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'https://example.org/x.png';
      document.body.append(image);
    });
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(complaints.filter((text) => /Content Security Policy/.test(text)).length).toBeGreaterThanOrEqual(2);
  });

  it('RP-5 an answer of a megabyte is cut until it is asked for', async () => {
    const { page, complaints } = await openFile(browser, reports.hostile, { hash: '#q=h1/h1%2Fq2' });
    await page.waitForSelector('dialog[open] .answer');
    const said = page.locator('.answer .said').first();
    expect((await said.textContent())?.length).toBeLessThan(2000);
    await said.getByRole('button', { name: /^Show all 1,000,\d{3} characters$/ }).click();
    expect((await said.textContent())?.length).toBe(MEGABYTE.length);
    expect(await said.textContent()).toMatch(/the end$/);
    expect(complaints).toEqual([]);
  });

  it('RP-5 ten thousand rows are found, opened and filtered', async () => {
    const { page, complaints } = await openFile(browser, reports.large);
    await ready(page);
    expect(await status(page).textContent()).toContain('10,000 answers of 10,000 match');
    await page.getByLabel('Search').fill('number 1250 of c2');
    expect(await status(page).textContent()).toContain('1 question of 2,500');
    await questions(page).first().click();
    await page.waitForSelector('.answer');
    expect(await page.locator('.answer').count()).toBe(4);
    expect(complaints).toEqual([]);
  });
});

describe('RP-5 what the report looks like', () => {
  it.each(['light', 'dark'] as const)('RP-5 in %s every text colour can be read on its ground', async (colorScheme) => {
    const { page, complaints } = await openFile(browser, reports.plain, { colorScheme });
    await ready(page);
    const contrasts = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const luminance = (name: string): number => {
        const [red, green, blue] = (style.getPropertyValue(name).trim().slice(1).match(/../g) ?? []).map((part) => {
          const value = Number.parseInt(part, 16) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
      };
      const names = ['--ink', '--muted', '--accent', '--good', '--bad', '--warn'];
      return names.flatMap((name) =>
        ['--paper', '--panel'].map((ground): [string, number] => {
          const [one, other] = [luminance(name), luminance(ground)].sort((a, b) => b - a) as [number, number];
          return [`${name} on ${ground}`, (one + 0.05) / (other + 0.05)];
        }),
      );
    });
    expect(contrasts.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(paper).toBe(colorScheme === 'dark' ? 'rgb(21, 23, 27)' : 'rgb(252, 251, 248)');
    await screenshot(page, colorScheme);
    expect(complaints).toEqual([]);
  });

  it('RP-5 on a phone nothing is wider than the screen, in the page and in a question', async () => {
    for (const report of [reports.plain, reports.hostile, reports.repeated]) {
      const { page } = await openFile(browser, report, { viewport: { width: 360, height: 740 } });
      await ready(page);
      const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await tooWide()).toBeLessThanOrEqual(0);
      await questions(page).first().click();
      await page.waitForSelector('.answer');
      for (const summary of await page.locator('dialog summary').all()) await summary.click();
      expect(
        await page.evaluate(() => {
          const dialog = document.querySelector('dialog') as HTMLDialogElement;
          return dialog.scrollWidth - dialog.clientWidth;
        }),
      ).toBeLessThanOrEqual(0);
    }
  });

  it('RP-5 on paper it is black on white, without what only a screen can use', async () => {
    const { page } = await openFile(browser, reports.plain, { colorScheme: 'dark' });
    await ready(page);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(0, 0, 0)');
    for (const hidden of ['.contents', '.filters', '.pager button >> nth=0'])
      expect(await page.locator(hidden).isVisible()).toBe(false);
    // A4 without its margins: nothing scrolls on paper.
    await page.setViewportSize({ width: 680, height: 1000 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await screenshot(page, 'print');
  });

  it('RP-5 without scripts the rest can be read, and it is said what is missing', async () => {
    const { page } = await openFile(browser, reports.plain, { javaScriptEnabled: false });
    expect(await page.locator('noscript').textContent()).toContain('scripts are switched off');
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
});
