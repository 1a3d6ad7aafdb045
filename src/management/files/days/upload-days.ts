import { AppError } from "../../../errors.ts";
import type { FileDependencies } from "../dependencies.ts";
import type { FileRow } from "../files.sql.ts";
import { findRoom, giveRoomBack, noteRefusal, takeRoom, type UploadDay } from "./upload-days.sql.ts";

type Dependencies = Pick<FileDependencies, "sql" | "config">;
type Owned = Pick<FileRow, "botId" | "resultId">;

/**
 * Throws `workspace.storage_full` if the file would exceed the uploads that ANONYMOUS_MEGABYTES_A_DAY allows a
 * workspace today. This check only saves the visitor a useless upload; `takeRoomFor` makes the decision. `bytes` is 0
 * if the client does not state the size. Files of previews are not limited, because an author is responsible for them.
 */
export async function requireRoom(deps: Dependencies, file: Owned, bytes: number): Promise<void> {
  if (file.resultId === null || deps.config.ANONYMOUS_MEGABYTES_A_DAY === 0) return;
  const day = await findRoom(deps.sql, roomOf(deps, file, Math.max(bytes, 1)));
  if (day && !day.hasRoom) throw await refusal(deps, day);
}

/**
 * Counts a file that has arrived and is about to be stored. Throws `workspace.storage_full`. Returns a function that
 * removes the file from the count.
 */
export async function takeRoomFor(deps: Dependencies, file: Owned, bytes: number): Promise<() => Promise<void>> {
  const nothing = async (): Promise<void> => {};
  if (file.resultId === null || deps.config.ANONYMOUS_MEGABYTES_A_DAY === 0) return nothing;
  const taken = await takeRoom(deps.sql, roomOf(deps, file, bytes));
  if (!taken) return nothing;
  if (!taken.hasRoom) throw await refusal(deps, taken);
  const { workspaceId, day } = taken;
  return workspaceId === null ? nothing : () => giveRoomBack(deps.sql, { workspaceId, day, bytes });
}

function roomOf({ config }: Dependencies, { botId }: Owned, bytes: number) {
  return { botId, bytes, megabytes: config.ANONYMOUS_MEGABYTES_A_DAY };
}

async function refusal(
  { sql }: Dependencies,
  { workspaceId, day, megabytes, secondsLeft }: UploadDay,
): Promise<AppError> {
  if (workspaceId !== null) await noteRefusal(sql, { workspaceId, day, megabytes });
  return new AppError("workspace.storage_full", { headers: { "Retry-After": String(Math.max(secondsLeft, 1)) } });
}
