import { dirname } from "node:path/posix";

/** A folder with more source files of its own than this is split. */
const mostFiles = 20;

/** The folders with too many source files of their own, with their number. */
export function fullFolders(paths: readonly string[]): { folder: string; files: number }[] {
  return [...Map.groupBy(paths, (path) => dirname(path))]
    .map(([folder, { length }]) => ({ folder, files: length }))
    .filter(({ files }) => files > mostFiles);
}
