import type { Mail } from "../../../core/interpreter/program/job.ts";
import type { AttachedFile } from "../../../effects/mail/email.ts";
import { limits } from "../../../limits/index.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { fileIdIn, fileNameOf } from "../../files/file-addresses.ts";
import { type FileRow, findFile } from "../../files/files.sql.ts";

type Parts = { readonly sql: Sql; readonly storage: Pick<Storage, "read"> };
type Attaching = Pick<Mail, "attachments" | "botId" | "resultId">;
type Problem = { readonly problem: string; readonly isStrange: boolean };

/** Opens the files of a mail. Returns the reason if a file cannot be attached. */
export async function openAttachments(parts: Parts, mail: Attaching): Promise<AttachedFile[] | Problem> {
  const files: FileRow[] = [];
  for (const name of mail.attachments ?? []) {
    const file = await findAttachable(parts.sql, mail, name);
    if (!file) return strange(`${name} is not a file of this chat`);
    files.push(file);
  }
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  if (bytes > limits.mails.attachmentBytes) {
    return { problem: `The attachments are larger than ${limits.mails.attachmentBytes / 1e6} MB`, isStrange: false };
  }
  const opened: AttachedFile[] = [];
  for (const file of files) {
    const content = await parts.storage.read(file.id, undefined);
    if (!content) {
      await closeAttachments(opened);
      return strange(`The file ${fileNameOf(file)} is missing from the storage`);
    }
    opened.push({ name: file.name, type: file.type, content });
  }
  return opened;
}

/** Closes files that were not read yet, because a mail may fail before its files are read. */
export async function closeAttachments(files: readonly AttachedFile[]): Promise<void> {
  for (const { content } of files) if (content instanceof ReadableStream && !content.locked) await content.cancel();
}

/**
 * Returns a public file of the bot, which everybody with its address may open, or any file of the same result.
 * Undefined for any other file.
 */
async function findAttachable(sql: Sql, { botId, resultId }: Attaching, name: string): Promise<FileRow | undefined> {
  const id = fileIdIn(name);
  const file = id === undefined ? undefined : await findFile(sql, id);
  if (!file || file.storedAt === null || fileNameOf(file) !== name) return undefined;
  return file.resultId === resultId || (file.isPublic && file.botId === botId) ? file : undefined;
}

function strange(problem: string): Problem {
  return { problem, isStrange: true };
}
