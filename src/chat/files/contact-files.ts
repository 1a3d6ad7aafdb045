import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { takeRoomFor } from "../../management/files/days/upload-days.ts";
import type { FileDependencies } from "../../management/files/dependencies.ts";
import { fileAddress, ownOrigin } from "../../management/files/file-addresses.ts";
import { findFile, markAnswered } from "../../management/files/files.sql.ts";
import { storeArrival } from "../../management/files/upload-content.ts";
import { cleanFileName, storedExtension, uploadRulesOf } from "../../management/files/upload-rules.ts";
import { newId, shardOf } from "../../platform/ids.ts";
import type { Arrival } from "../../platform/storage/arrival.ts";
import { requireContact } from "../reads/session-cache.ts";
import { findSession } from "../reads/sessions.sql.ts";
import { waitingBlock } from "../reads/waiting-block.ts";
import { insertNumbered } from "./uploads.ts";

/** Stores files of a contact by the rules of the block at which the contact's chat waits. */
export type ContactUploads = {
  readonly maxBytes: number;
  /** The result and its bot, for logs. */
  readonly botId: string;
  readonly resultId: string | null;
  /**
   * Stores a received file and returns its URL. Throws `upload.type_not_allowed`, `upload.too_many` and
   * `workspace.storage_full`, like uploads of visitors.
   */
  keep(file: ArrivedFile): Promise<string>;
};

/** A received file. `type` is the file's real type, and `name` has a matching extension. */
export type ArrivedFile = { readonly arrival: Arrival; readonly name: string; readonly type: string };

/** The rules for a block that has no rules for uploads. Its answer is the file's URL, so the file is public. */
const addressRules = { isPrivate: false, sizeLimit: undefined, types: undefined };
/** The rules for a file that no input requested. */
const keptRules = { ...addressRules, isPrivate: true };

const megabyte = 1024 * 1024;

/**
 * Prepares uploads for a contact's chat. Throws `session.not_found` unless the chat belongs to the contact and is
 * active. `isAsked`: the waiting input accepts a file.
 */
export async function contactUploads(
  deps: FileDependencies,
  { sessionId, contactId, isAsked }: { sessionId: string; contactId: string; isAsked: boolean },
): Promise<ContactUploads> {
  const session = await findSession(deps.sql, sessionId, null);
  if (!session || session.isEnded || session.isExpired) throw new AppError("session.not_found");
  requireContact(session, contactId);
  const { frame, block } = await waitingBlock(deps.sql, session);
  const rulesFor = (type: string) => {
    if (!isAsked) return keptRules;
    return uploadRulesOf(block?.content, type) ?? addressRules;
  };
  const botId = frame.resultId === session.resultId ? session.botId : frame.botId;
  // The block's size limit applies to files of any type.
  const maxBytes = Math.floor((rulesFor("").sizeLimit ?? deps.config.UPLOAD_MAX_MB) * megabyte);
  return {
    maxBytes,
    ...{ botId, resultId: frame.resultId },
    async keep({ arrival, name, type }) {
      const rules = rulesFor(type);
      const extension = storedExtension({ type, name }, rules.types);
      if (extension === undefined) {
        throw new AppError("upload.type_not_allowed", { data: { allowedTypes: rules.types ?? [] } });
      }
      const file = {
        id: newId(shardOf(sessionId)),
        ...{ sessionId, botId, resultId: frame.resultId, blockId: block?.id ?? "" },
        ...{ name: cleanFileName(name), extension, type, maxBytes: arrival.bytes },
        isPublic: frame.resultId === null || !rules.isPrivate,
      };
      await insertNumbered(deps, {
        ...file,
        addressSeconds: limits.uploads.addressSeconds,
        most: { files: limits.uploads.filesPerSession, bytes: limits.uploads.bytesPerSession },
      });
      const row = await findFile(deps.sql, file.id);
      if (!row) throw new AppError("session.not_found");
      await storeArrival(deps, row, arrival, () => takeRoomFor(deps, row, arrival.bytes));
      if (!isAsked) await markAnswered(deps.sql, file.id);
      return fileAddress(deps.config, file, ownOrigin(deps));
    },
  };
}
