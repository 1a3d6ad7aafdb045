import { dirname } from "node:path/posix";

/** A folder with more source files of its own than this is parted. */
const mostFiles = 20;

/** The folders of these source files that have too many of their own, with their number. */
export function fullFolders(paths: readonly string[]): { folder: string; files: number }[] {
  return [...Map.groupBy(paths, (path) => dirname(path))]
    .map(([folder, { length }]) => ({ folder, files: length }))
    .filter(({ files }) => files > mostFiles);
}
