import { dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./source.ts";

/**
 * Who may import whom: for each part of the program the parts and packages that it may name. A part is a folder of src,
 * a file of src, a folder of src/web, or `workers`. The outermost files (`anything`) join the others.
 */
const layers: Readonly<Record<string, { readonly parts: readonly string[]; readonly packages: readonly string[] }>> = {
  interpreter: {
    parts: ["flow/schemas", "limits.ts", "step-errors.ts"],
    packages: [
      "@cfworker/json-schema",
      "@sinclair/typebox",
      "mdast",
      "mdast-util-from-markdown",
      "decode-named-character-reference",
    ],
  },
  blocks: {
    parts: ["interpreter", "limits.ts"],
    packages: ["@sinclair/typebox", "chrono-node", "date-fns", "@date-fns/utc", "libphonenumber-js", "validator"],
  },
  // Kinds of credentials as data: what they hold, and how a provider is asked with them.
  credentials: { parts: ["limits.ts"], packages: ["@sinclair/typebox"] },
  sandbox: {
    parts: ["interpreter", "limits.ts"],
    packages: ["@jitl/quickjs-ng-wasmfile-release-sync"],
  },
  flow: {
    // Warnings about a theme judge the colours that the chat page will have.
    parts: [
      ...["interpreter", "editing", "blocks/index", "compatibility/dialect", "web/conversation"],
      ...["limits.ts", "errors.ts", "outgoing-rules.ts"],
    ],
    packages: ["@sinclair/typebox", "canonicalize", "node:crypto"],
  },
  // Conversations as tests of a flow. Pure: who runs the steps is handed in.
  "test-conversations": {
    parts: ["interpreter", "threads/messages", "threads/meter", "threads/run-task", "limits.ts"],
    packages: ["@sinclair/typebox", "node:crypto"],
  },
  // Chats that were held, held again with another flow. Pure: who runs the steps is handed in.
  replay: {
    parts: [
      ...["interpreter", "threads/messages", "threads/meter", "threads/run-task"],
      ...["test-conversations/compare", "test-conversations/said", "limits.ts"],
    ],
    packages: ["node:crypto"],
  },
  // What is counted of results, and how counts are added up. Pure.
  insight: { parts: ["interpreter", "blocks/index"], packages: [] },
  // What sets two flows apart, as changes. Pure, for the service and for editors.
  editing: { parts: ["interpreter/flow", "interpreter/template-scan"], packages: [] },
  threads: {
    parts: ["interpreter", "compatibility/dialect", "concurrency", "limits.ts", "step-errors.ts", "errors.ts"],
    packages: ["lru-cache", "node:fs", "node:os", "node:path", "piscina"],
  },
  workers: {
    parts: ["interpreter", "blocks", "flow", "sandbox", "threads", "test-conversations", "replay", "limits.ts"],
    packages: ["node:worker_threads"],
  },
  store: {
    parts: [
      ...[
        "flow",
        "editing",
        "interpreter",
        "threads/messages",
        "test-conversations/schema",
        "compatibility/dialect",
        "concurrency",
        "insight",
      ],
      ...["config.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts"],
    ],
    packages: ["lru-cache", "postgres", "node:net", "node:stream", "node:stream/promises"],
  },
  effects: {
    parts: [
      "store",
      "flow",
      "interpreter",
      "concurrency",
      "blocks/index",
      "credentials",
      "outgoing-rules.ts",
      "trace-context.ts",
      "dependencies.ts",
      "config.ts",
      "errors.ts",
      "ids.ts",
      "limits.ts",
      "log.ts",
    ],
    packages: [
      ...["@ai-sdk/openai-compatible", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/provider"],
      ...["ipaddr.js", "nodemailer", "prom-client", "standardwebhooks"],
      ...["node:dns", "node:http", "node:https", "node:net", "node:util", "node:zlib"],
      // Visitors' files, in a folder or in an S3-compatible storage.
      ...["bun", "node:crypto", "node:fs/promises", "node:os", "node:path"],
    ],
  },
  jobs: {
    parts: [
      "services/custom-domain-checks",
      "services/result-exports",
      "insight",
      "store",
      "effects",
      "interpreter",
      "concurrency",
      "dependencies.ts",
      "errors.ts",
      "ids.ts",
      "limits.ts",
      "log.ts",
      "secrets.ts",
    ],
    packages: ["@sinclair/typebox", "pg-boss", "@bull-board/api", "prom-client"],
  },
  // Everything that is kept, as one archive, and back.
  backup: {
    parts: ["store", "effects", "config.ts", "ids.ts"],
    packages: ["@sinclair/typebox", "modern-tar", "node:fs", "node:fs/promises", "node:path", "node:util", "node:zlib"],
  },
  // What PostgreSQL writes, as it writes it, and back to any second.
  archive: {
    parts: ["backup/s3", "backup/zstd", "store", "embedded", "concurrency", "config.ts", "log.ts", "ids.ts"],
    packages: ["@sinclair/typebox", "modern-tar", "node:fs", "node:fs/promises", "node:path", "prom-client"],
  },
  // How work waits, runs side by side and comes again: knows nothing of what it carries.
  concurrency: { parts: ["limits.ts", "errors.ts"], packages: [] },
  // Who may do how much, decided in memory.
  "rate-limits": {
    parts: ["concurrency", "store", "errors.ts", "limits.ts", "log.ts"],
    packages: ["ipaddr.js", "node:crypto", "node:net", "node:os"],
  },
  // The supervisor of a node's processes, and what they say to each other.
  processes: {
    parts: ["concurrency", "config.ts", "errors.ts", "limits.ts", "log.ts"],
    packages: ["@sinclair/typebox", "bun:ffi", "node:fs", "node:os", "prom-client"],
  },
  // One lifecycle of a step: start, continue, preview. What existing clients need is handed to it (`client-hooks.ts`).
  chat: {
    parts: [
      ...["store", "threads", "effects", "flow", "interpreter", "services", "compatibility/dialect"],
      ...["concurrency", "rate-limits", "replay/inputs"],
      ...["current-request.ts", "dependencies.ts", "config.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts"],
      ...["step-errors.ts", "tallies.ts"],
    ],
    packages: ["node:crypto", "prom-client"],
  },
  // Everything that exists for clients and flows of the reference product.
  compatibility: {
    parts: [
      ...["chat", "services", "store", "flow", "interpreter", "concurrency"],
      ...["dependencies.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts"],
    ],
    packages: ["@sinclair/typebox"],
  },
  services: {
    parts: [
      ...[
        "store",
        "threads",
        "effects",
        "flow",
        "editing",
        "insight",
        "test-conversations",
        "replay",
        "interpreter",
        "jobs/queue",
        "credentials",
        "blocks/index",
        "blocks/inputs/mime-types",
      ],
      ...["compatibility/dialect", "concurrency", "outgoing-rules.ts"],
      ...["dependencies.ts", "config.ts", "errors.ts", "ids.ts", "limits.ts", "log.ts", "secrets.ts", "package.json"],
    ],
    packages: ["@sinclair/typebox", "hucre/xlsx", "node:crypto", "prom-client"],
  },
  routes: {
    parts: [
      "services",
      "chat",
      "compatibility",
      "credentials",
      "interpreter/message",
      "interpreter/secret-tokens",
      "flow",
      "editing",
      "test-conversations/schema",
      "replay",
      "blocks/index",
      "concurrency/clock",
      "concurrency/deadlines",
      "processes/collector",
      "rate-limits",
      "current-request.ts",
      "trace-context.ts",
      "dependencies.ts",
      "config.ts",
      "errors.ts",
      "ids.ts",
      "limits.ts",
      "log.ts",
      "tallies.ts",
    ],
    packages: [
      "@sinclair/typebox",
      "elysia",
      "@elysiajs/swagger",
      "swagger-ui-dist",
      "@bull-board/ui",
      "prom-client",
      "node:crypto",
      "node:net",
      "node:path",
      "node:url",
    ],
  },
  embedded: {
    parts: ["processes/shares", "processes/own-program", "config.ts", "errors.ts", "limits.ts", "log.ts"],
    packages: ["@sinclair/typebox", "bun", "bun:sqlite", "node:fs", "node:path", "prom-client"],
  },
  // What the program is made of, for who must know: reads what is installed, and nothing of the program.
  supply: { parts: [], packages: ["@sinclair/typebox", "node:crypto", "node:fs", "node:path"] },
  // What the server draws and the browser takes over knows neither of them.
  "web/conversation": { parts: ["interpreter/rich-text/nodes", "flow/schemas"], packages: [] },
  "web/components": {
    parts: ["web/conversation", "interpreter/rich-text/nodes", "flow/schemas"],
    packages: ["preact"],
  },
  "web/browser": { parts: ["web/conversation", "web/components", "flow/schemas"], packages: ["preact"] },
  "web/embed": {
    parts: ["web/conversation", "web/components", "web/browser", "flow/schemas"],
    packages: ["preact", "react", "vue"],
  },
  // The builder. Some packages belong to one of its folders alone: see `appPackages`.
  "web/app": {
    parts: [
      ...["web/conversation", "web/components", "editing", "flow/lint", "flow/schemas"],
      ...["interpreter/flow", "interpreter/template-scan", "interpreter/rich-text/nodes", "limits.ts", "templates"],
    ],
    packages: ["uqr", "preact", "@preact/signals", "lucide", "idb"],
  },
  // What runs inside the frame of a preview: the chat page's own code, with a transport that its parent holds.
  "web/preview": {
    parts: ["web/conversation", "web/components", "web/browser", "flow/schemas"],
    packages: ["preact"],
  },
  "web/server": {
    parts: [
      ...["web/conversation", "web/components", "services", "chat", "routes/http", "concurrency", "flow/schemas"],
      ...["flow/incoming-json", "rate-limits"],
      ...["dependencies.ts", "config.ts", "errors.ts", "ids.ts", "limits.ts", "package.json"],
    ],
    packages: [
      "lightningcss",
      "preact",
      "preact-render-to-string",
      "node:crypto",
      "node:url",
      "node:util",
      "node:zlib",
    ],
  },
  "app.ts": { parts: ["routes", "web/server", "dependencies.ts", "errors.ts"], packages: ["elysia"] },
  "dependencies.ts": {
    parts: [
      "services",
      "chat",
      "compatibility",
      "concurrency",
      "store",
      "effects",
      "threads",
      "traces",
      "processes",
      "rate-limits",
      "outgoing-rules.ts",
      "limits.ts",
      "jobs/board",
      "jobs/queue",
      "config.ts",
      "errors.ts",
      "limits.ts",
      "log.ts",
      "secrets.ts",
    ],
    packages: [],
  },
  "config.ts": { parts: ["limits.ts", "rate-limits/rules"], packages: ["@sinclair/typebox", "node:net"] },
  // Flows of our own to begin with. Data.
  templates: { parts: [], packages: [] },
  // Loaded only where traces are sent somewhere.
  traces: { parts: ["current-request.ts", "trace-context.ts", "log.ts"], packages: [] },
  "errors.ts": { parts: [], packages: [] },
  "ids.ts": { parts: [], packages: [] },
  // Its parts are asked for by nobody else.
  "limits.ts": { parts: ["limits"], packages: [] },
  limits: { parts: [], packages: [] },
  // Asked for from anywhere outside the core.
  "current-request.ts": { parts: [], packages: ["node:async_hooks"] },
  "tallies.ts": { parts: [], packages: ["prom-client"] },
  "trace-context.ts": { parts: ["current-request.ts"], packages: [] },
  "log.ts": { parts: ["current-request.ts", "log-lines.ts"], packages: [] },
  "log-lines.ts": { parts: [], packages: [] },
  // What calls may lead to: judged before they are made, and in flows that are only read.
  "outgoing-rules.ts": { parts: [], packages: ["ipaddr.js", "node:net"] },
  "step-errors.ts": { parts: [], packages: [] },
  "secrets.ts": { parts: ["errors.ts"], packages: [] },
};

const outermost = ["main.ts", "node.ts", "serving.ts", "commands", "cli.ts", "build.ts", "build-embed.ts", "build-sdk"];

/** Packages of the builder that only some of its folders name: they are large, or lay out by pixels. */
const appPackages: readonly (readonly [folder: string, packages: readonly string[]])[] = [
  ["src/web/app/ui/", ["@floating-ui/dom"]],
  ["src/web/app/canvas-acts/tidy/", ["@dagrejs/dagre"]],
  [
    "src/web/app/text/",
    [
      ...["prosemirror-state", "prosemirror-view", "prosemirror-model", "prosemirror-history", "prosemirror-keymap"],
      ...["prosemirror-commands", "prosemirror-schema-list", "prosemirror-inputrules"],
    ],
  ],
  [
    "src/web/app/code/",
    [
      ...["@codemirror/state", "@codemirror/view", "@codemirror/language", "@codemirror/commands"],
      ...["@codemirror/autocomplete", "@codemirror/lint", "@lezer/common", "@lezer/highlight"],
      ...["@codemirror/lang-javascript", "@codemirror/lang-json", "@codemirror/lang-css", "@codemirror/lang-html"],
    ],
  ],
];

/** The store alone holds SQL, so its rows may be embedded as text; nobody else imports outside of the program's folders. */
const embeddedTexts = new Map([["store", /^sql\/migrations\//]]);

/** What a file imports that its part of the program must not know. */
export function importProblems(source: Source): string[] {
  const part = partOf(source.path);
  if (outermost.includes(part)) return [];
  const layer = layers[part];
  if (!layer) return [`${source.path} is in "${part}", which the list of layers does not know`];
  const wrong = importsOf(source)
    .filter((name) => !isAllowed(source.path, name, { part, ...layer }))
    .map((name) => `${source.path} imports ${name}, which "${part}" must not`);
  return part.startsWith("web/") && part !== "web/server" ? [...wrong, ...schemaProblems(source)] : wrong;
}

/** TypeBox stays out of the scripts of browsers: they take types from the schemas, and values from their defaults alone. */
function schemaProblems({ path, text }: Source): string[] {
  const values = [
    ...text.matchAll(
      /^import (?!type )[^;]*? from "([^"]*\/flow\/schemas\/(?!defaults\.ts|default-colors\.ts)[^"]*)"/gm,
    ),
  ];
  return values.map(([, name]) => `${path} imports more than types from ${name}`);
}

type Layer = { readonly part: string; readonly parts: readonly string[]; readonly packages: readonly string[] };

function isAllowed(path: string, name: string, { part, parts, packages }: Layer): boolean {
  if (!name.startsWith(".")) {
    const own = appPackages.filter(([folder]) => path.startsWith(folder)).flatMap(([, names]) => names);
    return [...packages, ...own].some((known) => name === known || name.startsWith(`${known}/`));
  }
  const target = join(dirname(path), name);
  if (embeddedTexts.get(part)?.test(target)) return true;
  return [part, ...parts].some(
    (known) => known === partOf(target) || target.startsWith(`src/${known}/`) || target === `src/${known}.ts`,
  );
}

function partOf(path: string): string {
  const [folder = "", name = "", inner = ""] = path.split("/");
  if (folder !== "src") return folder;
  return name === "web" ? `web/${inner}` : name;
}
