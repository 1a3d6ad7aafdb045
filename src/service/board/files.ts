import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.resolve("@bull-board/ui/dist/index.ejs")));

/**
 * The files of Bull Board's page, by their path in the package's `dist`. The build replaces this module with a list of
 * the files inside the binary.
 */
export const boardFiles: ReadonlyMap<string, string> = new Map(
  [...new Bun.Glob("static/**/*").scanSync(folder)].map((path) => [path.replaceAll("\\", "/"), join(folder, path)]),
);
