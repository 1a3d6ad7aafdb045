import type { Config } from "../../config.ts";
import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { fileNameInPath } from "../../core/interpreter/language/file-address.ts";
import type { Reply } from "../../core/interpreter/program/state.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";
import { localAddress } from "../access/builder-place.ts";
import type { FileDependencies } from "./dependencies.ts";
import { type FileRow, findOwnFiles, findStoredFiles } from "./files.sql.ts";

export type AddressedFile = Pick<FileRow, "id" | "extension" | "isPublic" | "botId" | "resultId">;

/** Returns a file's name in addresses. Only its extension comes from the visitor's file. */
export function fileNameOf({ id, extension }: Pick<FileRow, "id" | "extension">): string {
  return `${id}.${extension}`;
}

/** Returns the id in a file's name, or undefined if the name has another format. */
export function fileIdIn(fileName: string): string | undefined {
  const [id = "", extension] = fileName.split(".");
  return isId(id) && extension !== undefined && fileName === `${id}.${extension}` ? id : undefined;
}

/**
 * Returns the address of a file. Everyone with the address can open a public file. A private file of a result requires
 * a token for the management API. `origin` is used if the settings contain no origin: the request's origin for a link
 * in a response, and `ownOrigin` for a stored address.
 */
export function fileAddress(
  config: Pick<Config, "PUBLIC_URL" | "CHAT_URL">,
  file: AddressedFile,
  origin: string,
): string {
  const management = (config.PUBLIC_URL ?? origin).replace(/\/$/, "");
  const chat = (config.CHAT_URL ?? management).replace(/\/$/, "");
  const name = fileNameOf(file);
  if (file.isPublic || file.resultId === null) return `${chat}/api/files/${name}`;
  return `${management}/api/v1/bots/${file.botId}/results/${file.resultId}/files/${name}`;
}

/**
 * Returns the origin on which this process listens. An address that is stored or mailed never uses the header `Host`,
 * because every sender of a request controls this header. Behind a proxy the public address differs, so PUBLIC_URL and
 * CHAT_URL must contain it.
 */
export function ownOrigin({ config, ports }: Pick<FileDependencies, "config" | "ports">): string {
  return localAddress(config.HOST, ports.main ?? config.PORT);
}

/**
 * Whether a reply contains an address that could be one of our files. Most replies contain no such address and need no
 * look-up.
 */
export function mayNameFiles(reply: Reply | null): boolean {
  return reply !== null && addressesIn(reply).some((address) => fileNameIn(address) !== undefined);
}

/**
 * Returns the reply with `strangeFileUrls`: the addresses that look like our files, but belong to no stored file of
 * this session or its result. No input accepts such an address. Returns the reply unchanged if it contains none.
 */
export async function withStrangeFiles(
  deps: Pick<FileDependencies, "sql">,
  reply: Reply | null,
  session: { readonly id: string; readonly resultId: string | null },
): Promise<Reply | null> {
  if (reply === null || reply.type === "command" || reply.type === "payment") return reply;
  const named = namedFilesIn(reply);
  if (named.length === 0) return reply;
  const own = await findOwnFiles(deps.sql, { ids: idsOf(named), sessionId: session.id, resultId: session.resultId });
  const known = new Set(own.map(fileNameOf));
  const strangeFileUrls = named.filter(({ name }) => !known.has(name)).map(({ address }) => address);
  return strangeFileUrls.length === 0 ? reply : { ...reply, strangeFileUrls };
}

/**
 * Returns a function that finds the visitor's files in a reply. It returns the addresses and original names of the
 * files that are stored and belong to the session or its result.
 */
export async function originalNamesOf(
  sql: Sql,
  replies: readonly unknown[],
  session: { readonly id: string; readonly resultId: string | null },
): Promise<(reply: unknown) => { url: string; name: string }[]> {
  const filesIn = (reply: unknown) =>
    namedFilesIn({
      type: "text",
      text: textAt(reply, "text") ?? "",
      attachedFileUrls: textsAt(reply, "attachedFileUrls"),
    });
  const ids = idsOf(replies.flatMap(filesIn));
  const own =
    ids.length === 0 ? [] : await findOwnFiles(sql, { ids, sessionId: session.id, resultId: session.resultId });
  const originals = new Map(own.map((file) => [fileNameOf(file), file.name]));
  return (reply) => {
    const found = new Map(filesIn(reply).map(({ address, name }) => [address, originals.get(name)]));
    return [...found].flatMap(([url, name]) => (name === undefined ? [] : [{ url, name }]));
  };
}

function textsAt(reply: unknown, name: string): string[] {
  return [valueAt(reply, name)].flat().filter((value) => typeof value === "string");
}

type AnswerWithFiles = {
  readonly resultId: string;
  readonly content: string;
  readonly attachedFileUrls: readonly string[];
};

/** Returns a function that finds the addresses in an answer that belong to stored files of its own result. */
export async function storedFilesOf(
  deps: Pick<FileDependencies, "sql">,
  answers: readonly AnswerWithFiles[],
): Promise<(answer: AnswerWithFiles) => string[]> {
  const filesIn = ({ content, attachedFileUrls }: AnswerWithFiles) =>
    namedFilesIn({ type: "text", text: content, attachedFileUrls });
  const ids = idsOf(answers.flatMap(filesIn));
  const stored = ids.length === 0 ? [] : await findStoredFiles(deps.sql, ids);
  const placeOf = (resultId: string | null, name: string) => `${resultId}/${name}`;
  const known = new Set(stored.map((file) => placeOf(file.resultId, fileNameOf(file))));
  return (answer) => {
    const own = filesIn(answer).filter(({ name }) => known.has(placeOf(answer.resultId, name)));
    // The answer to a question for files contains each address twice: in its text, and as an attached file.
    return [...new Set(own.map(({ address }) => address))];
  };
}

type NamedFile = { readonly address: string; readonly name: string };

/** Returns the addresses in a reply that look like our files' addresses, with their file names. */
function namedFilesIn(reply: Reply): NamedFile[] {
  return addressesIn(reply).flatMap((address) => {
    const name = fileNameIn(address);
    return name === undefined ? [] : [{ address, name }];
  });
}

function idsOf(named: readonly NamedFile[]): string[] {
  return [...new Set(named.map(({ name }) => fileIdIn(name)).filter((id) => id !== undefined))];
}

function addressesIn(reply: Reply): readonly string[] {
  switch (reply.type) {
    case "text":
      return [...(reply.text.includes("/") ? reply.text.split(", ") : []), ...(reply.attachedFileUrls ?? [])];
    case "audio":
      return [reply.url];
    case "command":
    case "payment":
      return [];
    default:
      return reply satisfies never;
  }
}

/**
 * Returns the file name in an address that our router would treat as the address of a file, on any host; undefined for
 * any other address.
 */
export function fileNameIn(address: string): string | undefined {
  const name = fileNameInPath(address);
  return name !== undefined && fileIdIn(name) !== undefined ? name : undefined;
}
