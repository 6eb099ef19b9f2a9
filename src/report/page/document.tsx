import type { ComponentChildren, VNode } from 'preact';
import { visibleText } from './visible-text.js';

/** A part of the page, reached by its anchor. */
export interface PageSection {
  /** Of its anchor; unique, and the same in every report. */
  readonly id: string;
  readonly title: string;
  readonly content: ComponentChildren;
}

export interface PageHead {
  readonly title: string;
  readonly style: string;
  /** Of the page's one script, for its policy: `sha256-…`. */
  readonly script_hash: string;
}

/** Nothing is fetched, and nothing runs but the page's own script, whatever the data says (RP-5, RS-4). */
export function contentPolicy(scriptHash: string): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src '${scriptHash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The page's head. The style sheet is the project's own text: no data is ever in it. */
export function DocumentHead({ title, style, script_hash }: PageHead): VNode {
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={contentPolicy(script_hash)} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{visibleText(title)}</title>
      <style dangerouslySetInnerHTML={{ __html: style }} />
    </head>
  );
}

/** The page's body: what it is of, a way to every section, the sections. */
export function DocumentBody({
  masthead,
  sections,
}: {
  readonly masthead: ComponentChildren;
  readonly sections: readonly PageSection[];
}): VNode {
  return (
    <div class="frame">
      <a class="skip" href="#contents">
        Skip to the sections
      </a>
      <header class="masthead">{masthead}</header>
      <nav class="contents" id="contents" aria-label="Sections">
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        {sections.map(({ id, title, content }) => (
          <section class="page-section" id={id} key={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {content}
          </section>
        ))}
      </main>
    </div>
  );
}
