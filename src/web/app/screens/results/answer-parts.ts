import type { Question, Result } from "./columns.ts";

/**
 * A file in an answer. `isStored` is true if the file is stored in this service, and false if it is elsewhere on the
 * web.
 */
export type AnswerFile = { readonly url: string; readonly isStored: boolean; readonly name: string };

/** An answer, split into its files and its text. */
export type AnswerParts = { readonly files: readonly AnswerFile[]; readonly text: string };

/** Returns the files and the text of the last answer to a question. A question may be asked several times. */
export function answerParts({ answers }: Pick<Result, "answers">, { blockId, isFile }: Question): AnswerParts {
  const answer = answers.findLast((one) => one.blockId === blockId);
  if (!answer) return { files: [], text: "" };
  const { content, attachedFileUrls, storedFileUrls } = answer;
  const stored = new Set(storedFileUrls);
  const named = content.split(", ");
  // The text counts as files only if each part is the URL of a file. In an answer to a file input, any URL is a file;
  // elsewhere, only the URLs of files that are stored in this service.
  const areFiles = named.every((one) => (isFile && URL.canParse(one)) || stored.has(one));
  // The chat page sends uploaded files both in the answer's text and in its attachments.
  const urls = [...new Set([...attachedFileUrls, ...(areFiles ? named : [])])];
  return {
    files: urls.map((url) => ({ url, isStored: stored.has(url), name: fileNameOf(url) })),
    text: areFiles ? "" : content,
  };
}

/** Returns the last part of a URL's path, or the host if the path is empty. */
export function fileNameOf(url: string): string {
  const { pathname = "", hostname = url } = URL.parse(url) ?? {};
  const last = pathname.split("/").findLast((part) => part !== "") ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
