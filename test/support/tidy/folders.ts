import { dirname } from "node:path/posix";

/** The maximum number of source files in a folder, excluding its subfolders. */
const mostFiles = 20;

/** Returns the folders with too many source files, with the number of files in each. */
export function fullFolders(paths: readonly string[]): { folder: string; files: number }[] {
  return [...Map.groupBy(paths, (path) => dirname(path))]
    .map(([folder, { length }]) => ({ folder, files: length }))
    .filter(({ files }) => files > mostFiles);
}
