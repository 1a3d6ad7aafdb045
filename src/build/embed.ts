import { join, resolve } from "node:path";
import { commonFields, compileModules, root, writeManifest } from "./package.ts";

const sources = join(root, "src/web/embed/package");
const modules = { ".": "index.js", "./react": "react.js", "./vue": "vue.js" } as const;
const peers = { react: ">=18", vue: ">=3.3" } as const;

/** Builds the npm package `parley-embed` into a folder, with modules for bundlers and their types. */
export async function buildEmbedPackage(folder: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: Object.values(modules).map((file) => join(sources, file.replace(/js$/, "ts"))),
    outdir: folder,
    target: "browser",
    splitting: true,
    naming: { chunk: "[name]-[hash].[ext]" },
    external: Object.keys(peers),
  });
  await compileModules(sources, folder, { emitDeclarationOnly: true });
  const entries = Object.entries(modules).map(([path, file]) => [
    path,
    { types: `./${file.replace(/js$/, "d.ts")}`, default: `./${file}` },
  ]);
  const manifest = {
    name: "parley-embed",
    ...commonFields,
    description: "Chats of a Parley service in pages built with a bundler, with wrappers for React and Vue.",
    exports: Object.fromEntries(entries),
    files: ["*.d.ts", ...outputs.map(({ path }) => path.slice(path.lastIndexOf("/") + 1))],
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, { optional: true }])),
  };
  await writeManifest(folder, manifest, join(sources, "README.md"));
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, "dist/parley-embed"));
  await buildEmbedPackage(folder);
  process.stdout.write(`Built ${folder}\n`);
}
