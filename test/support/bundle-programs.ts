import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BunPlugin } from "bun";
import { bundleName, programs, threadSource } from "./programs.ts";

const root = join(import.meta.dir, "../..");
const threadExpression = `new URL("../../../${threadSource}", import.meta.url).href`;

/**
 * Bundles the programs that tests start as processes and threads, once per run, which takes 0.6 s of processor time.
 * The service then starts in 0.7 s instead of 0.9 s from source, and a thread in 0.2 s instead of 0.3 s (Bun 1.4.4).
 * The programs read files next to their sources from disk, and bundle them for browsers.
 */
export async function bundlePrograms(folder: string): Promise<void> {
  await Bun.build({
    entrypoints: [...programs, threadSource].map((source) => join(root, source)),
    outdir: folder,
    // With an absolute path, imported files are found from any working directory.
    publicPath: `${folder}/`,
    target: "bun",
    format: "esm",
    // Dynamic imports are loaded lazily, as when running from source.
    splitting: true,
    naming: { entry: "[name].[ext]", chunk: "chunk-[hash].[ext]", asset: "asset-[hash].[ext]" },
    // These packages are only resolved, or only needed for BullMQ queues.
    external: ["@napi-rs/nice", "bullmq"],
    plugins: [await placesOfSources(folder)],
  });
}

/**
 * Replaces expressions with `import.meta` by their values in the sources, because in a bundle `import.meta` refers to
 * the bundle.
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
