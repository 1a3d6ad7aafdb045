import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import own from "../../package.json";

const root = join(import.meta.dir, "../..");
const sources = join(root, "src/web/embed/package");

/** Builds the npm package `parley-embed` in a folder: modules for bundlers, their types, and its `package.json`. */
export async function buildEmbedPackage(folder: string): Promise<void> {
  const { name, version, license, exports, files, peers } = manifest;
  const { outputs } = await Bun.build({
    entrypoints: Object.values(exports).map((file) => join(sources, file.replace(/js$/, "ts"))),
    outdir: folder,
    target: "browser",
    splitting: true,
    naming: { chunk: "[name]-[hash].[ext]" },
    external: Object.keys(peers),
  });
  await writeTypes(folder);
  const entries = Object.entries(exports).map(([path, file]) => [
    path,
    { types: `./${file.replace(/js$/, "d.ts")}`, default: `./${file}` },
  ]);
  const described = {
    ...{ name, version, license, type: "module", sideEffects: false },
    description: "Chats of a Parley service in pages built with a bundler, with wrappers for React and Vue.",
    exports: Object.fromEntries(entries),
    files: [...files, ...outputs.map(({ path }) => path.slice(path.lastIndexOf("/") + 1))],
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, { optional: true }])),
  };
  await Bun.write(join(folder, "package.json"), `${JSON.stringify(described, null, 2)}\n`);
  for (const file of ["README.md", "LICENSE"]) {
    await Bun.write(join(folder, file), Bun.file(join(file === "LICENSE" ? root : sources, file)));
  }
}

const manifest = {
  name: "parley-embed",
  version: own.version,
  license: own.license,
  exports: { ".": "index.js", "./react": "react.js", "./vue": "vue.js" },
  files: ["*.d.ts"],
  peers: { react: ">=18", vue: ">=3.3" },
} as const;

/** Declarations, as the compiler writes them; packages name files by what they are when they are run. */
async function writeTypes(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(root, ".embed-types-"));
  try {
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: work,
      rootDir: sources,
    };
    const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: [join(sources, "*.ts")] };
    await Bun.write(join(work, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, "-p", work]);
    if (exitCode !== 0) throw new Error(`The types of parley-embed could not be written.\n${stdout}`);
    for (const file of (await readdir(work)).filter((name) => name.endsWith(".d.ts"))) {
      const text = await Bun.file(join(work, file)).text();
      await Bun.write(join(folder, file), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
    }
  } finally {
    await rm(work, { recursive: true });
  }
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(root, "dist/parley-embed"));
  await buildEmbedPackage(folder);
  process.stdout.write(`Built ${folder}\n`);
}
