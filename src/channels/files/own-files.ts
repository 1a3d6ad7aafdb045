import { fileIdIn, fileNameIn, fileNameOf, ownOrigin } from "../../management/files/file-addresses.ts";
import { type FileRow, findFile } from "../../management/files/files.sql.ts";
import { openAddress } from "../../management/files/open-addresses.ts";
import { findShownFile } from "../../management/files/workspace-files.sql.ts";
import type { ChannelDependencies } from "../dependencies.ts";

/** The chat in which a file is sent. A chat may send private files only if they belong to the chat. */
export type ChatPlace = { readonly sessionId: string | null; readonly resultId: string | null };

/** A file that this service stores. */
export type OwnFile = {
  readonly id: string;
  readonly bytes: number;
  readonly type: string;
  readonly name: string;
  readonly isPublic: boolean;
};

type Tools = Pick<ChannelDependencies, "sql" | "config" | "ports">;

/**
 * Returns the stored file of a URL, null if the file is missing or is a private file of another chat, or undefined for
 * any other URL.
 */
export async function findOwnFile(tools: Tools, url: string, place: ChatPlace): Promise<OwnFile | null | undefined> {
  const at = isOurs(tools, url) ? URL.parse(url) : null;
  if (at === null) return undefined;
  const authors = /^\/api\/workspace-files\/([^/]+)$/.exec(at.pathname)?.[1];
  if (authors !== undefined) {
    const id = fileIdIn(authors);
    const file = id === undefined ? undefined : await findShownFile(tools.sql, id);
    return file ? { id: file.id, bytes: file.bytes, type: file.type, name: file.name, isPublic: true } : null;
  }
  const name = fileNameIn(url);
  if (name === undefined) return undefined;
  const file = await visitorsFile(tools, name);
  if (!file || !(file.isPublic || isOfChat(file, place))) return null;
  const { id, type, bytes, isPublic } = file;
  return { id, bytes: bytes ?? 0, type, name: file.name, isPublic: isPublic || file.resultId === null };
}

/** Returns a URL with which the contact can open a private file of this chat, or undefined for any other URL. */
export async function findOpenAddress(
  tools: Tools,
  url: string,
  { place, now }: { readonly place: ChatPlace; readonly now: number },
): Promise<string | undefined> {
  const name = isOurs(tools, url) ? fileNameIn(url) : undefined;
  const file = name === undefined ? undefined : await visitorsFile(tools, name);
  if (!file || file.isPublic || file.resultId === null || !isOfChat(file, place)) return undefined;
  return openAddress(tools, fileNameOf(file), { origin: ownOrigin(tools), now });
}

async function visitorsFile({ sql }: Tools, name: string): Promise<FileRow | undefined> {
  const id = fileIdIn(name);
  const file = id === undefined ? undefined : await findFile(sql, id);
  return file && file.storedAt !== null && fileNameOf(file) === name ? file : undefined;
}

/**
 * Whether a file belongs to the chat. The rule is the same as for files that an answer may name
 * (`management/files/file-addresses.ts`).
 */
function isOfChat(file: FileRow, { sessionId, resultId }: ChatPlace): boolean {
  return file.sessionId === sessionId || (file.resultId !== null && file.resultId === resultId);
}

function isOurs(tools: Tools, url: string): boolean {
  const { CHAT_URL, PUBLIC_URL } = tools.config;
  const origins = [CHAT_URL, PUBLIC_URL, ownOrigin(tools)].map((origin) => origin && URL.parse(origin)?.origin);
  const { origin } = URL.parse(url) ?? {};
  return origin !== undefined && origins.includes(origin);
}
