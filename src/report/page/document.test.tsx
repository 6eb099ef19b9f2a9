import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { DataText } from './data-text.js';
import { contentPolicy, DocumentBody, DocumentHead } from './document.js';

const HOSTILE = '</title></style><script>alert(1)</script>"\'&<img src=x onerror=alert(1)>';

describe('RP-5 the frame of the report', () => {
  it('RP-5 RS-4 fetches nothing, and runs one script alone', () => {
    const policy = contentPolicy('sha256-abc');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'sha256-abc'");
    expect(policy.match(/unsafe-inline/g)).toHaveLength(1);
    expect(policy).toContain("style-src 'unsafe-inline'");
    const head = renderToString(<DocumentHead title="a" style="b{}" script_hash="sha256-abc" />);
    expect(head).toContain('http-equiv="Content-Security-Policy"');
    expect(head).not.toMatch(/(href|src)=/);
  });

  it('RS-4 text of the data is text, in the title, in the text and in the sections', () => {
    const head = renderToString(<DocumentHead title={HOSTILE} style="" script_hash="sha256-abc" />);
    const body = renderToString(
      <DocumentBody
        masthead={<DataText text={HOSTILE} />}
        sections={[{ id: 'one', title: HOSTILE, content: <DataText text={HOSTILE} /> }]}
      />,
    );
    for (const html of [head, body]) {
      expect(html).toContain('&lt;script>');
      expect(html).not.toMatch(/<script|<img/);
    }
  });

  it('RP-5 every section is reached by its anchor and named by its heading', () => {
    const html = renderToString(
      <DocumentBody masthead="" sections={[{ id: 'verdict', title: 'Verdict', content: 'x' }]} />,
    );
    expect(html).toContain('<a href="#verdict">Verdict</a>');
    expect(html).toContain('id="verdict" aria-labelledby="verdict-title"');
    expect(html).toContain('<h2 id="verdict-title">Verdict</h2>');
  });
});

describe('RS-4 text that hides', () => {
  it.each([
    ['a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['a\u0000b\u001b[31m', 'a\\u{0}b\\u{1b}[31m'],
    ['a\ud800b', 'a\\u{d800}b'],
    ['a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    // Letters of another direction, joined characters, tabs and line feeds are text.
    ['שלום 👩\u200d👧 a\tb\nc', 'שלום 👩\u200d👧 a\tb\nc'],
  ])('RS-4 %j is shown', (text, shown) => {
    expect(renderToString(<DataText text={text} />)).toBe(`<bdi class="data">${shown}</bdi>`);
  });
});
