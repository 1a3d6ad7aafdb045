import { dirname, join } from "node:path/posix";
import { importsOf, type Source } from "./source.ts";

type Room = { readonly may: readonly string[]; readonly packages?: readonly string[] };

const core = {
  // Flows, themes and settings as documents and as programs, and the steps of a chat.
  "core/interpreter": {
    may: ["limits"],
    packages: [
      ...["@cfworker/json-schema", "@sinclair/typebox"],
      ...["mdast", "mdast-util-from-markdown", "decode-named-character-reference"],
    ],
  },
  // Amounts in the units of a payment provider.
  "core/payments": { may: ["core/words"] },
  // Texts with placeholders, in any language.
  "core/words": { may: [] },
  "core/blocks": {
    may: ["core/interpreter", "core/payments", "core/credentials/providers.ts", "limits"],
    packages: ["@sinclair/typebox", "chrono-node", "date-fns", "@date-fns/utc", "libphonenumber-js", "validator"],
  },
  // The data formats of messengers: the messages that they send and receive.
  "core/channels": {
    may: ["core/interpreter", "core/blocks", "core/words/languages.ts", "limits"],
    packages: ["@sinclair/typebox", "node:crypto"],
  },
  // The kinds of credentials, as data.
  "core/credentials": { may: ["limits"], packages: ["@sinclair/typebox"] },
  "core/flow": {
    may: ["core/interpreter", "core/blocks/index.ts", "core/editing", "limits", "errors.ts"],
    // `ipaddr.js` and `isIP` only classify addresses.
    packages: ["@sinclair/typebox", "canonicalize", "ipaddr.js", "node:crypto", "node:net"],
  },
  "core/theme": { may: ["core/interpreter", "core/flow"] },
  // Comparison of two versions of a flow, and edits of texts.
  "core/editing": { may: ["core/interpreter"] },
  "core/lint": {
    may: ["core/interpreter", "core/blocks/index.ts", "core/flow", "core/theme", "core/editing"],
    packages: ["@sinclair/typebox"],
  },
  "core/documents": {
    may: ["core/interpreter", "core/blocks/index.ts", "core/flow", "core/editing", "limits", "errors.ts"],
  },
  // The task of a thread, as data and as a function.
  "core/tasks": { may: ["core/interpreter", "core/flow", "limits"] },
  "core/test-conversations": {
    may: ["core/interpreter", "core/tasks", "limits"],
    packages: ["@sinclair/typebox", "node:crypto"],
  },
  "core/replay": {
    may: ["core/interpreter", "core/tasks", "core/test-conversations", "limits"],
    packages: ["node:crypto"],
  },
  // The fields of a result, as data.
  "core/results": { may: ["limits"], packages: ["@sinclair/typebox"] },
  "core/measures": { may: ["core/interpreter", "core/blocks/index.ts"] },
  "core/templates": { may: ["core/theme", "core/interpreter/schemas/defaults.ts"] },
} satisfies Record<string, Room>;

const knowsNoNoun = ["config.ts", "errors.ts", "limits"];

const platform = {
  // The files directly in this folder: ids, secrets, and the dependencies that every module may use.
  platform: { may: [...knowsNoNoun, "platform"], packages: ["node:crypto", "node:fs", "node:path"] },
  // Timers, queues and limits, independent of their use.
  "platform/concurrency": { may: ["errors.ts"] },
  "platform/observing": { may: [], packages: ["node:async_hooks", "prom-client"] },
  "platform/processes": {
    may: [
      "platform/thrown.ts",
      "platform/durable-files.ts",
      ...knowsNoNoun,
      "platform/concurrency",
      "platform/observing",
    ],
    packages: ["@sinclair/typebox", "bun:ffi", "node:fs", "node:os"],
  },
  "platform/database": {
    may: [
      ...[...knowsNoNoun, "platform/ids.ts", "platform/thrown.ts"],
      ...["platform/concurrency", "platform/observing"],
    ],
    packages: ["postgres", "node:fs", "node:net", "node:path", "node:stream"],
  },
  "platform/embedded": {
    may: [
      ...["config.ts", "platform/thrown.ts", "platform/durable-files.ts", "platform/observing", "platform/processes"],
      // The names of databases in messages to the operator.
      ...["platform/database/primary/address.ts", "platform/database/primary/start-error.ts"],
    ],
    packages: ["@sinclair/typebox", "bun:sqlite", "node:fs", "node:path"],
  },
  "platform/storage": {
    may: [
      "platform/thrown.ts",
      "platform/durable-files.ts",
      ...knowsNoNoun,
      "platform/ids.ts",
      "platform/database/spans.sql.ts",
    ],
    packages: ["bun", "node:crypto", "node:fs", "node:os", "node:path"],
  },
  "platform/backup": {
    may: [
      "platform/thrown.ts",
      "platform/durable-files.ts",
      "config.ts",
      "platform/ids.ts",
      "platform/database",
      "platform/storage",
      "platform/queue/queue-tables.sql.ts",
    ],
    packages: ["@sinclair/typebox", "modern-tar", "node:fs", "node:path", "node:util", "node:zlib"],
  },
  "platform/archive": {
    may: [
      ...["platform/thrown.ts", "platform/durable-files.ts"],
      ...["config.ts", "platform/ids.ts", "platform/concurrency", "platform/observing", "platform/database"],
      ...["platform/embedded", "platform/backup/s3.ts", "platform/backup/zstd.ts", "platform/backup/pieces.ts"],
    ],
    packages: ["@sinclair/typebox", "modern-tar", "node:fs", "node:path"],
  },
  "platform/rate-limits": {
    may: [...knowsNoNoun, "platform/concurrency", "platform/observing", "platform/database"],
    packages: ["ipaddr.js", "node:crypto", "node:net", "node:os"],
  },
  "platform/queue": {
    may: [...knowsNoNoun, "core/interpreter", "platform"],
    packages: ["@bull-board/api", "@sinclair/typebox", "pg-boss"],
  },
  "platform/http": {
    may: [...knowsNoNoun, "core/documents", "platform"],
    packages: ["@sinclair/typebox", "node:crypto", "node:net"],
  },
  // QuickJS for the scripts of flows.
  "platform/sandbox": {
    may: ["core/interpreter", "limits"],
    packages: ["@jitl/quickjs-ng-wasmfile-release-sync"],
  },
} satisfies Record<string, Room>;

/** The modules of management. A module may import earlier modules and modules in the same line of this list. */
const nouns = [
  ["access"],
  ["audit"],
  ["operations"],
  ["block-types"],
  ["events"],
  ["people", "counts", "files", "models", "credentials"],
  ["payments", "ratings"],
  ["row-erasure", "domains", "instance"],
  ["bots"],
  ["channels"],
  ["workspaces", "results"],
  ["insight", "bin"],
  ["person-erasures"],
];

const packagesOfNouns = new Map([
  ["operations", ["elysia", "prom-client"]],
  ["bots", ["postgres"]],
  ["domains", ["node:dns"]],
  ["events", ["@bull-board/api"]],
  ["results", ["hucre", "lru-cache"]],
]);

const management = Object.fromEntries(
  nouns.flatMap((line, at) =>
    line.map((noun): [string, Room] => [
      `management/${noun}`,
      {
        may: [
          ...nouns.slice(0, at + 1).flatMap((before) => before.map((name) => `management/${name}`)),
          ...["core", "effects", "compatibility", "platform", "events.ts", ...knowsNoNoun, "package.json"],
        ],
        packages: ["@sinclair/typebox", "node:crypto", ...(packagesOfNouns.get(noun) ?? [])],
      },
    ]),
  ),
);

/**
 * The imports that each module of the program may use, including packages. A file belongs to the module with the
 * longest matching name. The outermost modules (`outermost`) connect the others.
 */
const rooms: Readonly<Record<string, Room>> = {
  ...core,
  ...platform,
  effects: {
    may: ["core", "platform", "limits", "errors.ts"],
    packages: [
      ...["@ai-sdk/openai-compatible", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/provider"],
      ...["eventsource-parser", "nodemailer", "jose", "stripe", "uqr"],
      ...["node:crypto", "node:dns", "node:http", "node:https", "node:net", "node:stream", "node:util", "node:zlib"],
      ...["node:fs", "node:os", "node:path", "node:tls"],
    ],
  },
  // Compatibility with the names of the reference product.
  compatibility: { may: ["core/flow", "core/results", "limits"], packages: ["@sinclair/typebox"] },
  ...management,
  // The lifecycle of a step, with its threads, reads, saves and routes.
  chat: {
    may: ["core", "effects", "management", "compatibility", "platform", "errors.ts", "limits"],
    packages: ["@sinclair/typebox", "lru-cache", "node:crypto"],
  },
  // Steps of chats on messengers.
  channels: {
    may: ["core", "chat", "effects", "management", "platform", "errors.ts", "limits"],
    packages: ["@sinclair/typebox", "lru-cache"],
  },
  "chat/threads": {
    may: ["core", "platform/concurrency", "errors.ts", "limits"],
    packages: ["lru-cache", "node:fs", "node:os", "node:path", "piscina"],
  },
  workers: {
    may: ["core", "chat/threads", "platform/sandbox", "limits"],
    packages: ["node:worker_threads"],
  },
  // Both the server and the browser render this module, so it depends on neither.
  "web/conversation": {
    may: [
      "core/interpreter/rich-text/nodes.ts",
      "core/interpreter/schemas",
      "core/payments/paid-text.ts",
      "core/theme",
      "core/words",
    ],
  },
  "web/components": {
    may: [
      ...["web/conversation", "core/interpreter/rich-text/nodes.ts", "core/interpreter/rich-text/marks.ts"],
      ...["core/interpreter/gfm", "core/interpreter/schemas", "core/payments/paid-text.ts"],
    ],
    packages: ["preact"],
  },
  "web/browser": {
    may: ["web/conversation", "web/components", "core/interpreter/schemas", "core/theme"],
    packages: ["preact"],
  },
  "web/embed": {
    may: ["web/conversation", "web/components", "web/browser", "core/interpreter/schemas", "core/theme"],
    packages: ["preact", "react", "vue"],
  },
  // The chat page's code in the frame of a preview. The parent page provides the transport.
  "web/preview": {
    may: ["web/conversation", "web/components", "web/browser", "core/interpreter/schemas", "core/theme"],
    packages: ["preact"],
  },
  // The builder. Some packages may be used in only one of its folders (`folderPackages`).
  "web/app": {
    may: [
      ...["web/conversation", "web/components", "core/editing", "core/lint", "core/theme", "core/templates"],
      ...["core/interpreter/flow.ts", "core/interpreter/schemas", "core/interpreter/language/template-scan.ts"],
      "core/interpreter/language/comparison.ts",
      // A macro: only its result is included in the page.
      "core/interpreter/language/comparison-signs.ts",
      "core/flow/client-requests.ts",
      ...[
        "core/interpreter/rich-text/nodes.ts",
        "core/interpreter/rich-text/marks.ts",
        "core/words",
        "events.ts",
        "limits",
      ],
    ],
    packages: ["uqr", "preact", "@preact/signals", "lucide"],
  },
  "web/server": {
    may: [
      ...["web/conversation", "web/components", "management", "chat", "platform", "core/documents", "core/theme"],
      ...[
        "core/interpreter/schemas",
        "core/flow/client-requests.ts",
        "config.ts",
        "errors.ts",
        "limits",
        "package.json",
      ],
    ],
    packages: [
      ...["lightningcss", "preact", "preact-render-to-string"],
      ...["node:crypto", "node:url", "node:util", "node:zlib"],
    ],
  },
  "config.ts": { may: ["core/credentials", "limits"], packages: ["@sinclair/typebox"] },
  "errors.ts": { may: ["errors.json"] },
  "events.ts": { may: [] },
  limits: { may: [], packages: ["@sinclair/typebox", "node:net"] },
};

const outermost = ["service", "commands", "build", "cli.ts"];

/** Packages that only some folders of browser code may import, because they are large or compute pixel layouts. */
const folderPackages: readonly (readonly [folder: string, packages: readonly string[]])[] = [
  [
    "src/web/components/rich/",
    [
      ...["temml", "@lezer/common", "@lezer/highlight"],
      ...["@lezer/javascript", "@lezer/json", "@lezer/css", "@lezer/html"],
    ],
  ],
  ["src/web/components/inputs/countries/", ["country-flag-icons/string/3x2"]],
  ["src/web/app/ui/floating/", ["@floating-ui/dom"]],
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

/** JSON files or folders that the program imports, and the folders that may import them. */
const data: readonly (readonly [path: string, importers: string])[] = [
  ["package.json", "src"],
  ["src/core/channels/texts.json", "src/core/channels"],
  ["src/core/payments/paid-words.json", "src/core/payments"],
  ["src/errors.json", "src/errors.ts"],
  ["src/management/operations/field-words.json", "src/management/operations"],
  ["src/management/operations/operations.json", "src/management/operations"],
  ["src/web/server/document/font-measures.json", "src/web/server/document"],
  ...["bubbles", "google", "inputs", "integrations", "logic", "models", "services"].map(
    (family) => [`src/core/blocks/${family}/examples.json`, `src/core/blocks/${family}`] as const,
  ),
  // English is stored with the code that shows it. Other languages are only loaded through their lists.
  ["src/web/conversation/en", "src/web/conversation"],
  ["src/web/conversation/languages", "src/web/conversation/languages"],
  ["src/web/app/words/en", "src/web/app"],
  ["src/web/app/words/languages", "src/web/app/words/languages"],
];

/** Returns the imports of a file that its module must not use. */
export function importProblems(source: Source): string[] {
  const name = roomOf(source.path);
  if (outermost.includes(name)) return dataProblems(source);
  const room = rooms[name];
  if (!room) return [`${source.path} is in "${name}", which the table of rooms does not have`];
  const wrong = importsOf(source)
    .filter((imported) => !isAllowed(source.path, imported, { name, ...room }))
    .map((imported) => `${source.path} imports ${imported}, which "${name}" must not`);
  return [
    ...wrong,
    ...dataProblems(source),
    ...kindProblems(source),
    ...(isOfBrowsers(name) ? schemaProblems(source) : []),
  ];
}

function dataProblems(source: Source): string[] {
  const paths = importsOf(source)
    .filter((imported) => imported.startsWith(".") && imported.endsWith(".json"))
    .map((imported) => join(dirname(source.path), imported));
  return paths
    .filter((path) => !data.some(([known, where]) => isWithin(path, known) && isWithin(source.path, where)))
    .map((path) => `${source.path} imports ${path}, which the table of data does not have for it`);
}

/**
 * Returns imports that the kind of a file forbids. Only routes may import routes, and a statement must not import a use
 * case of another module.
 */
function kindProblems({ path, ...source }: Source): string[] {
  if (isRoute(path)) return [];
  const targets = importsOf({ path, ...source })
    .filter((imported) => imported.startsWith("."))
    .map((imported) => join(dirname(path), imported));
  const routes = targets.filter(isRoute).map((target) => `${path} imports ${target}: only routes do`);
  if (!path.endsWith(".sql.ts")) return routes;
  const useCases = targets.filter(
    (target) => !target.endsWith(".sql.ts") && ![undefined, nounOf(path)].includes(nounOf(target)),
  );
  return [
    ...routes,
    ...useCases.map((target) => `${path} imports ${target}: a statement imports no use case of another noun`),
  ];
}

function nounOf(path: string): string | undefined {
  return /^src\/(chat|management\/[^/]+)\//.exec(path)?.[1];
}

function isRoute(path: string): boolean {
  return /(?:^|[/.])routes\.ts$/.test(path);
}

/**
 * Checks that browser scripts do not include TypeBox. They may use types of the schemas, but values only from the
 * listed files, which do not include TypeBox either.
 */
function schemaProblems({ path, text }: Source): string[] {
  const values = [
    ...text.matchAll(
      /^import (?!type )[^;]*? from "([^"]*\/interpreter\/schemas\/(?!defaults\.ts|default-colors\.ts|default-look\.ts|own-keys\.ts|editor-families\.ts|typing\.ts)[^"]*)"/gm,
    ),
  ];
  return values.map(([, name]) => `${path} imports more than types from ${name}`);
}

function isOfBrowsers(room: string): boolean {
  return room.startsWith("web/") && room !== "web/server";
}

function isAllowed(path: string, imported: string, { name, may, packages = [] }: Room & { name: string }): boolean {
  if (!imported.startsWith(".")) {
    const own = folderPackages.filter(([folder]) => path.startsWith(folder)).flatMap(([, names]) => names);
    return [...packages, ...own].some((known) => imported === known || imported.startsWith(`${known}/`));
  }
  const target = join(dirname(path), imported);
  return [name, ...may].some((known) => isWithin(target.replace(/^src\//, ""), known));
}

/** Returns the module of a file: the longest matching name in the table, otherwise the top-level folder. */
function roomOf(path: string): string {
  const place = path.replace(/^src\//, "");
  const known = Object.keys(rooms).filter((name) => isWithin(place, name));
  return known.toSorted((a, b) => b.length - a.length)[0] ?? place.replace(/\/.*/, "");
}

function isWithin(place: string, name: string): boolean {
  return place === name || place.startsWith(`${name}/`);
}
