import { fileURLToPath } from "node:url";
import { version } from "../../../package.json";
import { type Bundled, buildFiles, languageFiles } from "./bundle.ts";

/** A file of the builder, as browsers load it. In the single binary, it is compressed with brotli. */
export type AppFile = Omit<Bundled, "text"> & {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isCompressed: boolean;
};

/**
 * Bundles the builder from its sources, separately from the chat page, so that visitors need not wait for it. The
 * single binary contains no sources, so `src/build/binary.ts` replaces this module with its compressed result. With
 * `hasGallery`, the result includes the page that shows the whole design system.
 */
export async function bundleApp({ hasGallery = true } = {}): Promise<readonly AppFile[]> {
  const [styles, workers] = await Promise.all([minifiedStyles(), buildWorkers({ hasGallery })]);
  const workerFiles = Object.fromEntries(
    workers.map(({ entry = "", name }) => [entry.replace(".worker.js", ""), name]),
  );
  const [main, sheet, start] = await Promise.all([
    build({
      entry: "main.tsx",
      hasGallery,
      workerFiles,
      plugins: [adoptedStyles(styles)],
      languages: languageFiles(`${folder}words/languages`),
    }),
    build({ entry: "styles/app.css", hasGallery, plugins: [] }),
    build({ entry: "start.ts", hasGallery, plugins: [], isClassic: true }),
  ]);
  return [...main, ...sheet, ...start, ...workers];
}

const folder = fileURLToPath(new URL("../app/", import.meta.url));

type Building = {
  readonly entry: string;
  readonly hasGallery: boolean;
  readonly plugins: Bun.BunPlugin[];
  /** Files of languages, which are loaded separately. */
  readonly languages?: readonly string[];
  /** Whether the script is a classic script instead of a module, so that any browser can run it. */
  readonly isClassic?: boolean;
  /** Whether the script is a single file without imports. */
  readonly isAlone?: boolean;
  /** The file names of the workers, by entry. */
  readonly workerFiles?: Readonly<Record<string, string>>;
};

/** Builds the workers. Each worker is a single file, which a page loads on first use. */
async function buildWorkers({ hasGallery }: Pick<Building, "hasGallery">): Promise<AppFile[]> {
  const entries = [...new Bun.Glob("**/*.worker.ts").scanSync({ cwd: folder })].sort();
  const built = entries.map((entry) => build({ entry, hasGallery, plugins: [], isAlone: true }));
  return (await Promise.all(built)).flat();
}

async function build({
  entry,
  hasGallery,
  plugins,
  languages = [],
  isClassic = false,
  isAlone = isClassic,
  workerFiles = {},
}: Building): Promise<AppFile[]> {
  const built = await buildFiles({
    entrypoints: [folder + entry, ...languages],
    format: isClassic ? "iife" : "esm",
    // A worker has no document. Some packages need a document in their builds for pages, so a worker uses their builds
    // for workers.
    conditions: isAlone && !isClassic ? ["worker"] : [],
    splitting: !isAlone,
    define: {
      hasGallery: String(hasGallery),
      appVersion: JSON.stringify(version),
      workerFiles: JSON.stringify(workerFiles),
    },
    plugins,
  });
  return built.map(({ text, ...file }) => ({ ...file, content: new TextEncoder().encode(text), isCompressed: false }));
}

/** Returns the minified style sheets of components and screens, by path. */
async function minifiedStyles(): Promise<ReadonlyMap<string, string>> {
  const paths = [...new Bun.Glob("**/*.css").scanSync({ cwd: folder })]
    .filter((path) => path !== "styles/app.css")
    .sort();
  const read = async (path: string) => [folder + path, await minified(path)] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** The builder requires browsers with `light-dark()`. The features of these browsers need no fallback. */
const targets = { chrome: majorVersion(123), firefox: majorVersion(120), safari: majorVersion(17, 5) };

/** Returns a version in the number format of the minifier. */
function majorVersion(major: number, minor = 0): number {
  return (major << 16) | (minor << 8);
}

async function minified(path: string): Promise<string> {
  // This library takes ten megabytes and is needed only for bundling.
  const { Features, transform } = await import("lightningcss");
  const { code, warnings } = transform({
    filename: path,
    code: await Bun.file(folder + path).bytes(),
    minify: true,
    targets,
    // These browsers support `:dir()` and logical properties. Replacements with lists of languages would be six times
    // as large.
    exclude: Features.DirSelector | Features.LogicalProperties,
  });
  if (warnings.length > 0) throw new Error(`${path}: ${warnings.map(({ message }) => message).join(", ")}`);
  return new TextDecoder().decode(code);
}

/**
 * Embeds imported style sheets in their scripts, which adopt them when they run. Each part of the builder therefore
 * includes its own styles without another request.
 */
function adoptedStyles(styles: ReadonlyMap<string, string>): Bun.BunPlugin {
  const adopt = JSON.stringify(`${folder}styles/adopt.ts`);
  return {
    name: "adopted style sheets",
    setup(builder) {
      builder.onLoad({ filter: /\/web\/app\/.*\.css$/ }, ({ path }) => {
        const text = styles.get(path);
        if (text === undefined) throw new Error(`${path} was not there when the styles were read`);
        return { contents: `import { adopt } from ${adopt}; adopt(${JSON.stringify(text)});`, loader: "js" };
      });
    },
  };
}
