import type { Question, Result } from "./columns.ts";

/** A file that an answer names: `isStored` in this service, or elsewhere on the web. */
export type AnswerFile = { readonly url: string; readonly isStored: boolean; readonly name: string };

/** An answer: its files, and its words. */
export type AnswerParts = { readonly files: readonly AnswerFile[]; readonly text: string };

/** The last answer to a question, since a question may be asked again. */
export function answerParts({ answers }: Pick<Result, "answers">, { blockId, isFile }: Question): AnswerParts {
  const answer = answers.findLast((one) => one.blockId === blockId);
  if (!answer) return { files: [], text: "" };
  const { content, attachedFileUrls, storedFileUrls } = answer;
  const stored = new Set(storedFileUrls);
  const named = content.split(", ");
  // A requested file is recognised by its address; in other texts only files that are stored in this service are.
  const areFiles = named.every((one) => (isFile && URL.canParse(one)) || stored.has(one));
  // The chat page sends the requested files both as the answer's text and as its attachments.
  const urls = [...new Set([...attachedFileUrls, ...(areFiles ? named : [])])];
  return {
    files: urls.map((url) => ({ url, isStored: stored.has(url), name: fileNameOf(url) })),
    text: areFiles ? "" : content,
  };
}

/** The last part of a file's address. */
export function fileNameOf(url: string): string {
  const { pathname = "", hostname = url } = URL.parse(url) ?? {};
  const last = pathname.split("/").findLast((part) => part !== "") ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
