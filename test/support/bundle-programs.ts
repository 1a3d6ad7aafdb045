import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BunPlugin } from "bun";
import { bundleName, programs, threadSource } from "./programs.ts";

const root = join(import.meta.dir, "../..");
const threadExpression = `new URL("../../../${threadSource}", import.meta.url).href`;

/**
 * Bundles the programs that tests start as processes and threads, once in a run: this takes 0.6 s of processor time. A
 * start of the service then takes 0.7 s instead of 0.9 s from the sources, a thread 0.2 s instead of 0.3 s (Bun 1.4.4).
 * The programs read files from disk beside their sources, and bundle these for browsers.
 */
export async function bundlePrograms(folder: string): Promise<void> {
  await Bun.build({
    entrypoints: [...programs, threadSource].map((source) => join(root, source)),
    outdir: folder,
    // The paths of files that are imported as such, from any working folder.
    publicPath: `${folder}/`,
    target: "bun",
    format: "esm",
    // Dynamic imports are loaded later, as from the sources.
    splitting: true,
    naming: { entry: "[name].[ext]", chunk: "chunk-[hash].[ext]", asset: "asset-[hash].[ext]" },
    // Only resolved, or needed if a queue is one of BullMQ's.
    external: ["@napi-rs/nice", "bullmq"],
    plugins: [await placesOfSources(folder)],
  });
}

/**
 * Inside a bundle `import.meta` refers to the bundle: these expressions get the values that they have in the sources.
 */
async function placesOfSources(folder: string): Promise<BunPlugin> {
  const paths = [...new Bun.Glob("{src,test,workers}/**/*.{ts,tsx}").scanSync({ cwd: root })].map((path) =>
    join(root, path),
  );
  const texts = await Promise.all(paths.map(async (path) => [path, await Bun.file(path).text()] as const));
  const placed = new Map(texts.filter(([, text]) => /\bimport\.meta\./.test(text)));
  const filter = new RegExp(`^(?:${[...placed.keys()].map(RegExp.escape).join("|")})$`);
  if (!placed.get(join(root, "src/chat/threads/threads.ts"))?.includes(threadExpression))
    throw new Error(`src/chat/threads/threads.ts does not have "${threadExpression}".`);
  const thread = pathToFileURL(join(folder, bundleName(threadSource))).href;
  return {
    name: "places of sources",
    setup(build) {
      build.onLoad({ filter }, ({ path, loader }) => {
        const contents = (placed.get(path) ?? "")
          .replace(threadExpression, () => JSON.stringify(thread))
          .replaceAll(/\bimport\.meta\.resolve\("([^"]+)"\)/g, (_, name: string) =>
            JSON.stringify(pathToFileURL(Bun.resolveSync(name, dirname(path))).href),
          )
          .replaceAll(/\bimport\.meta\.(?:dir|dirname)\b/g, JSON.stringify(dirname(path)))
          .replaceAll(/\bimport\.meta\.(?:path|filename)\b/g, JSON.stringify(path))
          .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href));
        return { contents, loader };
      });
    },
  };
}
