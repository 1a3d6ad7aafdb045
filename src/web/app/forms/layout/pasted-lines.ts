/** The texts of pasted lines: without the marks of a list before them, and without the lines that say nothing. */
export function pastedLines(text: string): readonly string[] {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(listMark, "").trim())
    .filter((line) => line !== "");
}

/** A number counts only with a blank behind it: `1.5 kg` is a text. */
const listMark = /^\s*(?:[-*•‣–]\s+|\d{1,3}[.)]\s+)/u;
