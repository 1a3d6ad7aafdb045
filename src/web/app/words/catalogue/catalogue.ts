/**
 * The sentences of the service's catalogue of blocks and fields, in another language: by the English sentence, so that
 * a new block type needs nothing here. A sentence without a translation is shown in English, and `npm run words` lists
 * it where it is ours.
 */
export type Catalogue = {
  /** Names, titles, summaries, help, titles of examples, lines of blocks. */
  readonly texts: Readonly<Record<string, string>>;
  /** Words that a field takes: by the word, or by the field's key and the word, as `capture: user`. */
  readonly choices: Readonly<Record<string, string>>;
  /** Words that blocks are searched by. */
  readonly search: Readonly<Record<string, string>>;
  /** The linter's sentences; `{1}`, `{2}` stand for what a sentence names: see `sentence.ts`. */
  readonly findings: Readonly<Record<string, string>>;
};
