/**
 * The sentences of the service's catalogue of blocks and fields, in another language: by the English sentence, so that
 * a new block type needs no change here. A sentence without a translation is shown in English, and `npm run words`
 * lists it if it is ours.
 */
export type Catalogue = {
  /** Names, titles, summaries, help, titles of examples, lines of blocks. */
  readonly texts: Readonly<Record<string, string>>;
  /** Words that a field accepts: by the word, or by the field's key and the word, as `capture: user`. */
  readonly choices: Readonly<Record<string, string>>;
  /** Words by which blocks are found. */
  readonly search: Readonly<Record<string, string>>;
  /** The linter's sentences; `{1}`, `{2}` stand for the names in a sentence: see `sentence.ts`. */
  readonly findings: Readonly<Record<string, string>>;
};
