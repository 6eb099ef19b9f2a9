import type { VNode } from 'preact';

/** Where the page's script lays out every question (`client/`). Without it, this says what is missing. */
export function QuestionsSection(): VNode {
  return (
    <>
      <p>
        What each arm answered, what it had retrieved, and where a wrong answer was lost. Choose a question to see its
        arms side by side.
      </p>
      <p class="note on-paper">
        Paper holds the questions that were chosen and stood in the list when it was printed; the file itself holds
        every question, with what each arm was given and said.
      </p>
      <noscript>
        <p class="caution">
          The questions are laid out by a script inside this file, and scripts are switched off: the list of questions
          and their details are not shown. Everything above is whole.
        </p>
      </noscript>
      <div id="question-browser" />
    </>
  );
}
