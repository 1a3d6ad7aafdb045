import type { Source } from "./source.ts";
import { titlesOf } from "./titles.ts";

/** Prose of one kind, by the path of its file. All other text is blank, so that line numbers agree with the file's. */
export type Prose = { readonly path: string; readonly text: string };

/** Words and phrases that made readers read a sentence twice (`docs/contributing.md` has better ones). */
const forbidden = [
  /\btold\b/i,
  /\bwhoever\b/i,
  /\bnobody but\b/i,
  /\bstands\b/i,
  /\b(?:came|comes) of\b/i,
  /\breckon(?:s|ed|ing)?\b/i,
  /\bbears\b/i,
  /\bwhat (?:\w+ ){1,3}is to\b/i,
  /\banew\b/i,
  /\bone after the other\b/i,
  // A comment without a subject: "Of the step." names the field below; "The same for" repeats the function above.
  /(?:\/\*\*(?:\s+\*)?|(?<!\/\/[^\n]*\n\s{0,40})\/\/) (?:Of|So many|Those of|The same (?:for|with))\b/,
  // A sentence whose subject is a clause: "What comes in is checked." A question may begin so, and so may a heading.
  /(?:^ {0,40}(?:(?:\/\*\*|\*|\/\/|-) )?|[.:;!?] |¦)(?:What|Who) [^.?!:|¦]{1,400}[.]/m,
];

/** Every forbidden word or phrase of a text. */
export function englishProblems({ path, text }: Prose): string[] {
  return forbidden.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map((found) => {
      const before = text.slice(0, found.index + (found[0].length - found[0].trimStart().length));
      return `${path}:${before.split("\n").length}: "${found[0].trim().replaceAll(/\s+/g, " ").slice(0, 60)}"`;
    }),
  );
}

/** A Markdown file without its code and the addresses of its links. */
export function proseOfPage({ path, text }: Prose): Prose {
  return { path, text: text.replaceAll(/^```[\s\S]*?^```|^ {4}.*$|`[^`\n]*`|\]\([^)\s]+\)/gm, blank) };
}

/** The comments of a source file, and the titles of its tests. */
export function proseOfSource(source: Source): Prose {
  const prose = source.comments.split("");
  for (const { at, text } of titlesOf(source)) prose.splice(at, text.length, ...text.split(""));
  return { path: source.path, text: prose.join("") };
}

/** Every string of a source file, between two bars: a sentence ends where its string does. */
export function proseOfStrings({ path, text, code, comments }: Source): Prose {
  const isString = (at: number) => code.charAt(at) === " " && comments.charAt(at) === " ";
  const letterAt = (letter: string, at: number) => {
    if (isString(at)) return letter;
    return /["'`]/.test(code.charAt(at)) ? "¦" : " ";
  };
  return { path, text: text.replaceAll(/[^\n]/g, letterAt) };
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

/** The strings of a JSON file, between bars. */
export function proseOfData({ path, text }: Prose): Prose {
  return { path, text: text.replaceAll(/"/g, "¦") };
}
