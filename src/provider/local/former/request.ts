import { z } from 'zod';

const text = z.string();
const turnSchema = z.object({
  id: text,
  at: text,
  speaker: text,
  text,
  caption: text.nullable().catch(null),
  corrected: z.boolean().catch(false),
});
const beliefSchema = z.object({
  ref: text,
  statement: text,
  subjects: z.array(text),
  observed_at: text.nullable().catch(null),
});
const personSchema = z.object({ name: text, aliases: z.array(text), role: text.nullable() });
const requestSchema = z.object({
  turns: z.array(turnSchema),
  beliefs: z.array(beliefSchema).catch([]),
  people: z.array(personSchema).catch([]),
});

/** A turn as the former sees it. */
export type FormationTurn = z.infer<typeof turnSchema>;
/** A current belief as the former sees it, under its short reference. */
export type KnownBelief = z.infer<typeof beliefSchema>;
/** A known person as the former sees them. */
export type KnownPerson = z.infer<typeof personSchema>;
/** The formation message (docs/formats/model-requests.md). */
export type FormationMessage = z.infer<typeof requestSchema>;

/** Reads a formation message. What is no such message holds no turns: a model is shown anything, and always answers by the schema. */
export function readFormationMessage(message: unknown): FormationMessage {
  const parsed = requestSchema.safeParse(message);
  return parsed.success ? parsed.data : { turns: [], beliefs: [], people: [] };
}
