/**
 * The translations of the service's catalogue of blocks and fields. The keys are the English sentences, so that a new
 * block type requires no change to this type. A sentence without a translation is shown in English, and `npm run words`
 * lists it if it belongs to Parley.
 */
export type Catalogue = {
  /** Names, titles, summaries, help texts, titles of examples, and the texts of blocks. */
  readonly texts: Readonly<Record<string, string>>;
  /**
   * The keywords that a field accepts. The key is the keyword, or the field's key followed by the keyword, such as
   * `capture: user`.
   */
  readonly choices: Readonly<Record<string, string>>;
  /** The search terms of blocks. */
  readonly search: Readonly<Record<string, string>>;
  /** The linter's sentences. `{1}` and `{2}` are placeholders for names, see `sentence.ts`. */
  readonly findings: Readonly<Record<string, string>>;
};
