import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { FileDependencies } from "../../files/dependencies.ts";
import { fileAddress, ownOrigin } from "../../files/file-addresses.ts";
import { cleanFileName, cleanType, storedExtension } from "../../files/upload-rules.ts";
import { findResult } from "../results.sql.ts";
import { insertImportedFiles, openImportedFiles } from "./imported-files.sql.ts";
import { type ForeignResult, importedIds } from "./imported-ids.ts";

export type FileFromElsewhere = {
  readonly id: string;
  readonly createdAt: string;
  readonly blockId: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  readonly isPublic: boolean;
};

export type FilesRequest = {
  readonly source: string;
  readonly result: ForeignResult;
  readonly files: readonly FileFromElsewhere[];
  /** The origin of the request. Addresses for uploads use it if the settings contain no origin. */
  readonly requestOrigin: string;
};

/**
 * A file's address on this instance, and the address to which its content can be uploaded. `uploadUrl` is null if the
 * content is stored or was erased.
 */
export type FilePlace = {
  readonly id: string;
  readonly url: string;
  readonly isStored: boolean;
  readonly uploadUrl: string | null;
};

/**
 * Prepares the upload of an imported result's files. A file that is sent again keeps its id. Once a file is stored, an
 * import of the result replaces the file's old address with the address on this instance.
 */
export async function bringFiles(
  deps: FileDependencies,
  caller: Caller,
  botId: string,
  { source, result, files, requestOrigin }: FilesRequest,
): Promise<FilePlace[]> {
  await requireBot(deps, caller, botId, "write", { evenArchived: true });
  const ids = await importedIds(deps, { botId, source });
  const resultId = ids.ofResult(result);
  if (!(await findResult(deps.sql, { botId, resultId }))) throw new AppError("result.not_found");
  const ours = files.map(({ id: fileId, createdAt, blockId, name, type, bytes, isPublic }) => {
    const kept = { name: cleanFileName(name), type: cleanType(type) };
    const extension = storedExtension(kept, undefined) ?? "bin";
    const facts = { blockId, isPublic, maxBytes: bytes, createdAt: new Date(createdAt), botId, resultId };
    return { foreignId: fileId, id: ids.ofFile(result, fileId), extension, ...kept, ...facts };
  });
  const distinct = [...new Map(ours.map((file) => [file.id, file])).values()];
  const hasRoom = await insertImportedFiles(
    deps.sql,
    { botId, resultId },
    { files: distinct, most: limits.uploads.listed },
  );
  if (!hasRoom) throw new AppError("upload.too_many");
  const wanted = { ids: distinct.map(({ id }) => id), seconds: limits.uploads.addressSeconds };
  const open = new Map((await openImportedFiles(deps.sql, wanted)).map(({ id, isStored }) => [id, isStored]));
  const origin = (deps.config.CHAT_URL ?? deps.config.PUBLIC_URL ?? requestOrigin).replace(/\/$/, "");
  return Promise.all(
    ours.map(
      async (file): Promise<FilePlace> => ({
        id: file.foreignId,
        url: fileAddress(deps.config, file, ownOrigin(deps)),
        isStored: open.get(file.id) === true,
        uploadUrl: open.get(file.id) === false ? `${origin}/api/uploads/${await deps.uploads.tokenFor(file.id)}` : null,
      }),
    ),
  );
}
