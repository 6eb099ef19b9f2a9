/**
 * A made-up file in LoCoMo's layout, with every irregularity that the real one has. Nothing in it is taken from LoCoMo.
 */
export function madeUpLocomo(): MadeUpSample[] {
  return [
    {
      sample_id: 'made-1',
      conversation: {
        speaker_a: 'Ana',
        speaker_b: 'Bo',
        // As text, 10 would stand before 2 and 9.
        session_10_date_time: '12:05 am on 1 March, 2024',
        session_10: [said('D10:1', 'Bo', 'Good night.'), said('D10:2', 'Ana', 'Sleep well.')],
        session_2_date_time: '12:00 pm on 29 February, 2024',
        session_2: [
          { ...said('D2:1', 'Bo', 'Look!'), img_url: ['http://x'], blip_caption: 'a red kite', query: 'kite toy' },
          { ...said('D2:2', 'Ana', 'And mine.'), blip_caption: 'a blue kite', 're-download': true },
        ],
        session_9_date_time: '3:07 pm on 29 February, 2024',
        session_9: [said('D9:1', 'Ana', 'I moved to Oslo.'), said('D9:12', 'Bo', 'I like pears.')],
        session_1_date_time: '1:56 pm on 8 May, 2023',
        session_1: [
          said('D1:1', 'Ana', 'Hello Bo!'),
          said('D1:2', 'Bo', 'Hello!'),
          said('D1:3', 'Ana', 'I have 2 cats.'),
        ],
        session_11_date_time: '1:00 am on 3 March, 2024',
      },
      qa: [
        asked(4, 'How many cats does Ana have?', { answer: 2, evidence: ['D1:3'] }),
        asked(1, 'What do Ana and Bo fly?', { answer: 'a red kite, a blue kite', evidence: ['D2:1; D2:2'] }),
        asked(2, 'When did Ana move?', { answer: ' 29 February, 2024', evidence: ['D:9:1'] }),
        asked(3, 'Would Bo like fruit salad?', {
          answer: 'Yes; he likes pears,plums',
          evidence: ['D09:012 D9:1', 'D9:1'],
        }),
        asked(5, 'What does Bo own?', { adversarial_answer: '2 cats', evidence: ['D1:3'] }),
        asked(5, 'Is the kite of Bo green?', { adversarial_answer: 'Yes', answer: 'No', evidence: ['D2:1'] }),
        asked(4, 'How many cats does Ana have?', { answer: 'two', evidence: ['D', 'D1:99'] }),
        asked(4, 'Who slept?', { answer: 'Bo', evidence: [] }),
      ],
      observation: {
        session_1_observation: {
          Bo: [['Bo greets Ana.', ['D1:2', 'D1:1']]],
          Ana: [
            ['Ana has two cats. ', 'D1:3'],
            ['Ana greets Bo.', 'D1:1, D1:2, D1:1'],
            ['Ana moved.', ['D1:3', 'D9:1']],
            ['Ana sings.', 'D1:77'],
          ],
        },
        session_2_observation: { Ana: [['Ana flies a kite.', 'D:2:2']] },
        session_9_observation: {},
        session_12_observation: { Ana: [['Ana is late.', 'D12:1']] },
      },
      event_summary: {},
      session_summary: {},
    },
    {
      sample_id: 'made-2',
      conversation: {
        speaker_a: 'Cy',
        speaker_b: 'Di',
        session_1_date_time: '9:00 am on 1 January, 2024',
        session_1: [said('D1:1', 'Cy', 'Hi.'), said('D1:2', 'Di', 'Hi.')],
      },
      qa: [asked(5, 'What does Cy cook?', { adversarial_answer: 'rice', evidence: ['D1:1'] })],
      observation: { session_1_observation: {} },
      event_summary: {},
      session_summary: {},
    },
  ];
}

/** A sample that a test may bend. */
export interface MadeUpSample {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: Record<string, unknown>[];
  observation: Record<string, Record<string, [string, string | string[]][]>>;
  event_summary: object;
  session_summary: object;
}

function said(dia_id: string, speaker: string, text: string) {
  return { speaker, dia_id, text };
}

function asked(category: number, question: string, rest: object): Record<string, unknown> {
  return { question, category, ...rest };
}
