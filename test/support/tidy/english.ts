import type { Source } from "./source.ts";
import { titlesOf } from "./titles.ts";

/** Prose of one kind, by the path of its file. All other text is blank, so that line numbers match the file. */
export type Prose = { readonly path: string; readonly text: string };

/** Words and phrases that readers had to read twice (`docs/contributing.md` lists alternatives). */
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
  // Matches a comment without a subject, for example `Of the step.` above a field.
  /(?:\/\*\*(?:\s+\*)?|(?<!\/\/[^\n]*\n\s{0,40})\/\/) (?:Of|So many|Those of|The same (?:for|with))\b/,
  // Matches a sentence whose subject is a clause. Questions and headings may begin with these words.
  /(?:^ {0,40}(?:(?:\/\*\*|\*|\/\/|-) )?|[.:;!?] |¦)(?:What|Who) [^.?!:|¦]{1,400}[.]/m,
];

/** Returns every forbidden word or phrase of a text. */
export function englishProblems({ path, text }: Prose): string[] {
  return forbidden.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map((found) => {
      const before = text.slice(0, found.index + (found[0].length - found[0].trimStart().length));
      return `${path}:${before.split("\n").length}: "${found[0].trim().replaceAll(/\s+/g, " ").slice(0, 60)}"`;
    }),
  );
}

/** Returns a Markdown file without its code and link targets. */
export function proseOfPage({ path, text }: Prose): Prose {
  return { path, text: text.replaceAll(/^```[\s\S]*?^```|^ {4}.*$|`[^`\n]*`|\]\([^)\s]+\)/gm, blank) };
}

/** Returns the comments of a source file and the titles of its tests. */
export function proseOfSource(source: Source): Prose {
  const prose = source.comments.split("");
  for (const { at, text } of titlesOf(source)) prose.splice(at, text.length, ...text.split(""));
  return { path: source.path, text: prose.join("") };
}

/** Returns every string of a source file, enclosed in bars. A sentence ends at the end of its string. */
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

/** Returns a JSON file with bars instead of quotes, so that a sentence ends at the end of its string. */
export function proseOfData({ path, text }: Prose): Prose {
  return { path, text: text.replaceAll(/"/g, "¦") };
}
