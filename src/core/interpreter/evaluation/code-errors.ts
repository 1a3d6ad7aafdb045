import { limits } from "../../../limits/index.ts";
import type { VariableReader } from "../language/template.ts";
import { findVariables } from "../language/template-scan.ts";
import type { StepLog } from "../program/outcome.ts";
import type { Program } from "../program/program.ts";

/** The reason for a failure of code, and the line of the error if it is known. */
export type Failure = { readonly reason: string; readonly line?: number };

/** Replaces the identifiers of variables in an engine's error message with the author's names. */
export function inAuthorsWords(message: string, code: string, variables: VariableReader): string {
  if (!message.includes("$") && !unknownName.test(message)) return message;
  const authors = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { inner } of findVariables(code)) {
    const id = variables.idOf(inner);
    if (id === undefined) continue;
    const name = variables.codeName(id);
    (name === id ? ids : authors).set(name, `{{${inner}}}`);
  }
  const named = message.replaceAll(word, (found) => authors.get(found) ?? cutName(found, authors) ?? found);
  // An id can look like an ordinary word, so it is replaced only where the engine reports an unknown name.
  return named.replace(unknownName, (whole, head: string, name: string, tail: string) => {
    const author = ids.get(name);
    return author === undefined ? whole : head + author + tail;
  });
}

type Where = { readonly program: Program; readonly blockId: string | undefined };

/** Returns the log entry for code that failed and is used as text instead. Visitors do not see the entry. */
export function textInsteadLog({ program, blockId }: Where, code: string, { reason, line }: Failure) {
  return {
    status: "warning",
    description: `The expression could not be evaluated, and is used as text instead: ${reason}`,
    forAuthors: `${placeOf({ program, blockId }, line)}:\n${excerptOf(code)}`,
    isPrivate: true,
    textInsteadAt: blockId ?? "",
  } satisfies StepLog;
}

/** Describes the location of code for its author: the block or the flow, and the line if it is known. */
export function placeOf({ program, blockId }: Where, line: number | undefined): string {
  const place = blockId === undefined ? undefined : program.places.get(blockId);
  const block = place ? `${place.block.type} ${place.block.id} in "${place.group.title}"` : "The flow";
  return line === undefined ? block : `${block}, line ${line}`;
}

function excerptOf(code: string): string {
  return code.length <= excerptCharacters ? code : `${code.slice(0, excerptCharacters).toWellFormed()}…`;
}

// The other half of the maximum log length is reserved for the location.
const excerptCharacters = limits.logs.detailsCharacters / 2;

const word = /\$[\p{ID_Continue}$\u200c\u200d]*/gu;
const unknownName = /(^|\] )([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)( is not (?:defined|initialized))/u;

/**
 * Finds the author's name for an identifier that the engine truncated. Returns undefined if the identifier is too short
 * or no name matches.
 */
function cutName(found: string, authors: ReadonlyMap<string, string>): string | undefined {
  if (found.length < leastCut) return undefined;
  for (const [name, author] of authors) if (name.startsWith(found)) return author;
  return undefined;
}

const leastCut = 40;
