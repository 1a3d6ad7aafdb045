import { dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./source.ts";

/**
 * Who may import whom: for each part of the program the parts and packages that it may name. A part is a folder of src,
 * a file of src, or `workers`. The outermost files (`anything`) join the others.
 */
const layers: Readonly<Record<string, { readonly parts: readonly string[]; readonly packages: readonly string[] }>> = {
  interpreter: {
    parts: ["limits.ts"],
    packages: ["@sinclair/typebox", "mdast", "mdast-util-from-markdown", "decode-named-character-reference"],
  },
  blocks: {
    parts: ["interpreter", "limits.ts"],
    packages: ["@sinclair/typebox", "chrono-node", "date-fns", "@date-fns/utc", "libphonenumber-js", "validator"],
  },
  sandbox: {
    parts: ["interpreter", "limits.ts"],
    packages: ["@jitl/quickjs-ng-wasmfile-release-sync"],
  },
  flow: {
    parts: ["interpreter", "threads/messages", "limits.ts", "errors.ts"],
    packages: ["@sinclair/typebox", "canonicalize", "node:crypto"],
  },
  threads: { parts: ["interpreter", "limits.ts", "errors.ts"], packages: ["piscina", "node:os"] },
  workers: { parts: ["interpreter", "blocks", "sandbox", "threads", "limits.ts"], packages: ["node:worker_threads"] },
  store: {
    parts: ["flow", "interpreter", "threads/messages", "config.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts"],
    packages: ["postgres"],
  },
  effects: {
    parts: [
      "store",
      "flow",
      "interpreter",
      "dependencies.ts",
      "config.ts",
      "errors.ts",
      "ids.ts",
      "limits.ts",
      "log.ts",
    ],
    packages: [
      ...["ipaddr.js", "nodemailer"],
      ...["node:dns", "node:http", "node:https", "node:net", "node:util", "node:zlib"],
    ],
  },
  jobs: { parts: ["store", "effects", "interpreter", "ids.ts", "limits.ts", "log.ts"], packages: [] },
  services: {
    parts: [
      ...["store", "threads", "effects", "flow", "interpreter", "jobs/queue"],
      ...["dependencies.ts", "config.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts"],
    ],
    packages: ["@sinclair/typebox", "node:crypto"],
  },
  routes: {
    parts: ["services", "flow", "dependencies.ts", "config.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts"],
    packages: [
      "@sinclair/typebox",
      "elysia",
      "@elysiajs/swagger",
      "swagger-ui-dist",
      "prom-client",
      "node:crypto",
      "node:net",
    ],
  },
  embedded: {
    parts: ["config.ts", "errors.ts", "limits.ts", "log.ts"],
    packages: ["@sinclair/typebox", "bun", "bun:sqlite", "node:fs", "node:path"],
  },
  "app.ts": { parts: ["routes", "dependencies.ts", "errors.ts"], packages: ["elysia"] },
  "dependencies.ts": { parts: ["services", "store", "effects", "threads", "config.ts", "log.ts"], packages: [] },
  "config.ts": { parts: [], packages: ["@sinclair/typebox"] },
  "errors.ts": { parts: [], packages: [] },
  "ids.ts": { parts: [], packages: [] },
  "limits.ts": { parts: [], packages: [] },
  "log.ts": { parts: [], packages: [] },
  "stop-request.ts": { parts: [], packages: [] },
};

const outermost = ["main.ts", "commands.ts", "cli.ts", "build.ts"];

/** The store alone holds SQL, so its rows may be embedded as text; nobody else imports outside of the program's folders. */
const embeddedTexts = new Map([["store", /^sql\/migrations\//]]);

/** What a file imports that its part of the program must not know. */
export function importProblems(source: Source): string[] {
  const part = partOf(source.path);
  if (outermost.includes(part)) return [];
  const layer = layers[part];
  if (!layer) return [`${source.path} is in "${part}", which the list of layers does not know`];
  return importsOf(source)
    .filter((name) => !isAllowed(source.path, name, { part, ...layer }))
    .map((name) => `${source.path} imports ${name}, which "${part}" must not`);
}

type Layer = { readonly part: string; readonly parts: readonly string[]; readonly packages: readonly string[] };

function isAllowed(path: string, name: string, { part, parts, packages }: Layer): boolean {
  if (!name.startsWith(".")) return packages.some((known) => name === known || name.startsWith(`${known}/`));
  const target = join(dirname(path), name);
  if (embeddedTexts.get(part)?.test(target)) return true;
  return [part, ...parts].some(
    (known) => known === partOf(target) || target.startsWith(`src/${known}/`) || target === `src/${known}.ts`,
  );
}

function partOf(path: string): string {
  const [folder = "", name = ""] = path.split("/");
  return folder === "src" ? name : folder;
}
