import { fileURLToPath } from "node:url";

/** A bundled file for browsers. */
export type Bundled = {
  /** The file's name, which contains a hash of its content. */
  readonly name: string;
  /** The entry from which the file was built, such as `page.js` or `page.css`; undefined for shared chunks. */
  readonly entry: string | undefined;
  readonly contentType: string;
  readonly text: string;
};

/**
 * Bundles the scripts and styles of chat pages and embedded chats from the sources. The single binary contains no
 * sources, so `src/build/binary.ts` replaces this module with its result. Throws if a build fails.
 */
export async function bundleForBrowsers(): Promise<readonly Bundled[]> {
  // The page and the embedded chat are built separately, because shared code would be another file for each to load.
  const page = await bundle({ entries: ["../browser/page.tsx", "../styles/page.css"] });
  const chat = await bundle({
    entries: ["../embed/chat.tsx", ...pageLanguages()],
    styles: await styleTexts("chat.css"),
  });
  const chatFile = chat.find(({ entry }) => entry === "chat.js")?.name ?? "";
  const embed = await bundle({
    entries: ["../embed/embed.ts"],
    styles: await styleTexts("frame.css"),
    chatPath: `/assets/chat/${chatFile}`,
  });
  return [...page, ...chat, ...embed];
}

/**
 * Bundles the frames in which the builder shows chats: one for the chat, and one for a sample page with the chat. They
 * are not part of visitors' pages.
 */
export async function bundleForPreview(): Promise<readonly Bundled[]> {
  const chat = await bundle({ entries: ["../preview/preview.tsx", "../styles/page.css", ...pageLanguages()] });
  const site = await bundle({ entries: ["../preview/site.ts", "../preview/site.css"] });
  return [...chat, ...site];
}

/**
 * Each language is loaded on demand. Languages are entries, so the names of their files start with the language tag. A
 * node of another release finds its own file by this tag.
 */
const pageLanguages = () => languageFiles(fileAt("../conversation/languages"));

/** Returns the files of languages in a folder. */
export function languageFiles(folder: string): readonly string[] {
  return [...new Bun.Glob("*.json").scanSync({ cwd: folder, absolute: true })].sort();
}

type Bundling = {
  readonly entries: readonly string[];
  /** Style sheets that scripts contain as text, by file name. */
  readonly styles?: ReadonlyMap<string, string>;
  /**
   * The path of the embedded chat. A script with this path is built to work both as a module and as a classic script.
   */
  readonly chatPath?: string;
};

async function bundle({ entries, styles = new Map(), chatPath }: Bundling): Promise<Bundled[]> {
  const isEmbedded = styles.size > 0;
  const stylesAsText: Bun.BunPlugin = {
    name: "style sheets as text",
    setup(build) {
      if (!isEmbedded) return;
      build.onLoad({ filter: /\/embed\/\w+\.css$/ }, ({ path }) => {
        const text = styles.get(path.replace(/^.*\//, "")) ?? "";
        return { contents: `export default ${JSON.stringify(text)};`, loader: "js" };
      });
    },
  };
  const built = await buildFiles({
    entrypoints: entries.map(fileAt),
    format: chatPath === undefined ? "esm" : "iife",
    splitting: chatPath === undefined,
    define: chatPath === undefined ? {} : { chatPath: JSON.stringify(chatPath) },
    plugins: [stylesAsText],
    chunkName: isEmbedded ? "embed-part" : "part",
  });
  return built.map(({ text, ...file }) => {
    const own = file.name.endsWith(".css") ? withoutOldSelectors(text) : text;
    return { ...file, text: isEmbedded ? withoutRems(own) : own };
  });
}

type Build = Pick<Bun.BuildConfig, "entrypoints" | "conditions"> & {
  readonly format: "esm" | "iife";
  readonly splitting: boolean;
  readonly define: Readonly<Record<string, string>>;
  readonly plugins: Bun.BunPlugin[];
  /** The start of the names of shared chunks. */
  readonly chunkName?: string;
};

/** Builds files for browsers, each named with a hash of its content. */
export async function buildFiles({ chunkName = "part", define, plugins, ...config }: Build): Promise<Bundled[]> {
  const { outputs } = await Bun.build({
    ...config,
    plugins: [wordsAsObject, ...plugins],
    target: "browser",
    // `tsconfig.json` applies only if the service starts in this folder.
    jsx: { runtime: "automatic", importSource: "preact", development: false },
    // A table of all chunks and their imports would add 1.2 kB to every page. Nearly all chunks import only the page's
    // own script.
    modulePreload: false,
    minify: true,
    naming: { entry: "[name]-[hash].[ext]", chunk: `${chunkName}-[hash].[ext]`, asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"', ...define },
  });
  return Promise.all(
    outputs.map(async (output) => {
      const name = output.path.replace(/^.*\//, "");
      const isPart = output.kind !== "entry-point" && !name.endsWith(".css");
      return {
        name,
        entry: isPart ? undefined : name.replace(/-[a-z0-9]+(?=\.\w+$)/, ""),
        contentType: `${name.endsWith(".css") ? "text/css" : "text/javascript"}; charset=utf-8`,
        text: await output.text(),
      };
    }),
  );
}

/**
 * Exports the texts of a language as a single value. By default, Bun would also export each key by its name, which is a
 * third of the file.
 */
const wordsAsObject: Bun.BunPlugin = {
  name: "words of languages",
  setup(build) {
    build.onLoad({ filter: /\/languages\/[\w-]+\.json$/ }, async ({ path }) => {
      return { contents: `export default ${await Bun.file(path).text()}`, loader: "js" };
    });
  },
};

/** Returns the text of one of the embedded chat's style sheets, by file name. */
async function styleTexts(name: string): Promise<ReadonlyMap<string, string>> {
  const [sheet] = (await Bun.build({ entrypoints: [fileAt(`../embed/${name}`)], minify: true })).outputs;
  const text = withoutOldSelectors((await sheet?.text()) ?? "");
  return new Map([[name, text]]);
}

/**
 * Removes rules for old browsers. Bun writes a rule with `:is()` three times, and two of them are for browsers that do
 * not support `:has()` either.
 */
function withoutOldSelectors(code: string): string {
  return code.replaceAll(/[^{};]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g, "");
}

/**
 * Replaces rem units with a property of the chat, because a rem depends on the root of the page, which may belong to
 * another site. Conditions such as `@media` keep their rem units: properties do not work there, and a rem is the
 * browser's default font size.
 */
function withoutRems(code: string): string {
  const parts = code.split(/(@(?:media|container)[^{]*\{)/);
  return parts
    .map((part, index) =>
      index % 2 === 0 ? part.replaceAll(/(\d*\.?\d+)rem\b/g, "calc($1*var(--parley-rem,16px))") : part,
    )
    .join("");
}

function fileAt(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
