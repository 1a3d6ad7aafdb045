/** Bounds of rich text, each with its reason. They count characters and nodes, never time: equal input ends equally. */
export const richTextLimits = {
  /** Nesting of stored nodes. A list costs two levels, so 64 is about thirty lists in each other; deeper children are left out. */
  maxDepth: 64,
  /** Nesting of quotes, lists and items inside one value; a deeper value is printed as plain paragraphs. */
  maxValueDepth: 32,
  /** Longest value read as markdown: a long answer of a language model has 8,000 characters. Longer ones are plain paragraphs. */
  maxMarkdownLength: 16_384,
  /** The markdown parser takes quadratic time in lines of lists and headings: 500 lines cost at most 35 ms, 4,000 cost 360 ms. */
  maxMarkdownLines: 500,
  /** The parser is quadratic in `*` and `_`: 800 cost at most 35 ms, 16,000 cost 1.5 s. */
  maxEmphasisCharacters: 800,
  /** The parser is quadratic in `[` and `![`: 300 cost at most 30 ms, 4,000 cost 1.2 s. */
  maxBrackets: 300,
  /** A plain text becomes at most so many lines; the rest stays together in the last one. A node costs 45 bytes in a response. */
  maxPlainLines: 2_000,
  /**
   * What the references of one bubble may insert, in characters: as much as all variables of a session hold, so that
   * every value can be shown once, but a text full of references to one large value stays bounded.
   */
  maxInsertedCharacters: 1_000_000,
  /** What an inserted node counts against `maxInsertedCharacters`: its size in a response beside its text. */
  charactersPerNode: 64,
} as const;
