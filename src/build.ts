import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { boardFiles } from "./routes/board/files.ts";
import { bundleForBrowsers } from "./web/server/bundle.ts";

/**
 * Makes the single binary, `dist/parley` or the path given as argument: the service with its threads, migrations and
 * pages. It needs nothing beside it but a PostgreSQL (DATABASE_URL). The only file that knows about bundling.
 */
const root = join(import.meta.dir, "..");
const outfile = resolve(process.argv[2] ?? join(root, "dist/parley"));

/** Where the binary finds a source file that is an entry point of its own. */
function embedded(path: string): string {
  return JSON.stringify(`/$bunfs/root/${path.replace(/\.ts$/, ".js")}`);
}

const taskFile = "workers/advance.ts";
const threadFile = "node_modules/piscina/dist/worker.js";

/** Threads and processes start from files, which the bundler cannot see: these expressions become what is true inside the binary. */
const replacements = [
  // The binary is its own program, without a source to name.
  {
    file: "src/processes/spawn.ts",
    expression: "[process.execPath, ...process.execArgv, Bun.main]",
    text: "[process.execPath]",
  },
  {
    file: "src/threads/threads.ts",
    expression: 'new URL("../../workers/advance.ts", import.meta.url).href',
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
      const filter = new RegExp(`${RegExp.escape(join(root, file))}$`);
      build.onLoad({ filter }, async () => {
        const source = await Bun.file(join(root, file)).text();
        if (source.split(expression).length !== 2) throw new Error(`${file} does not have "${expression}" once.`);
        return { contents: source.replace(expression, () => text), loader: file.endsWith(".ts") ? "ts" : "js" };
      });
    }
  },
};

/** The job board's page is hundreds of files that only its own code names: each is put into the binary as it is. */
const boardFolder: BunPlugin = {
  name: "files of the job board",
  setup(build) {
    const filter = new RegExp(`${RegExp.escape(join(root, "src/routes/board/files.ts"))}$`);
    build.onLoad({ filter }, () => {
      const files = [...boardFiles].map(([path, file], index) => ({ path, file, name: `file${index}` }));
      const lines = [
        ...files.map(({ name, file }) => `import ${name} from ${JSON.stringify(file)} with { type: "file" };`),
        `export const boardFiles = new Map([${files.map(({ path, name }) => `[${JSON.stringify(path)}, ${name}]`)}]);`,
      ];
      return { contents: lines.join("\n"), loader: "js" };
    });
  },
};

/** Bundled before the build of the binary: a build within another one never ends. */
const bundled = JSON.stringify(await bundleForBrowsers());

/** The binary has no sources to bundle for browsers: the module that bundles them is replaced by its output. */
const browserFiles: BunPlugin = {
  name: "browser files",
  setup(build) {
    build.onLoad({ filter: /\/src\/web\/server\/bundle\.ts$/ }, () => {
      return { contents: `export const bundleForBrowsers = async () => ${bundled};`, loader: "js" };
    });
  },
};

await Bun.build({
  entrypoints: ["src/cli.ts", taskFile, threadFile].map((file) => join(root, file)),
  root,
  target: "bun",
  compile: { outfile, autoloadBunfig: false },
  // Piscina asks for it only to change a thread's priority, which we never do; its loader would look at this machine's paths.
  // Bull Board asks for BullMQ only where a queue is one of BullMQ's.
  external: ["@napi-rs/nice", "bullmq"],
  plugins: [ownPaths, boardFolder, browserFiles],
});
process.stdout.write(`Built ${outfile}\n`);
