/** Returns the pasted lines without list markers and empty lines. */
export function pastedLines(text: string): readonly string[] {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replace(listMark, "").trim())
    .filter((line) => line !== "");
}

/** A number is a list marker only if whitespace follows it: `1.5 kg` is text. */
const listMark = /^\s*(?:[-*•‣–]\s+|\d{1,3}[.)]\s+)/u;
