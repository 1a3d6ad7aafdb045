import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { lookDefaults } from "../src/core/interpreter/schemas/default-look.ts";
import { temporaryFolder } from "./support/folder.ts";
import { longTest } from "./support/long-test.ts";

/**
 * The changes to each file, by its path. A string is the whole text of a new file. An edit inserts `added` after
 * `text`, or replaces `text` if `place` is "instead".
 */
type Changes = Readonly<Record<string, string | readonly Change[]>>;
type Change = readonly [text: string, added: string, place?: "instead"];

/** Each of these constants adds one kind to a list, as the recipes in `docs/contributing.md` describe. */
const mark: Changes = {
  "src/core/interpreter/rich-text/marks.ts": [
    ["export const marks = {\n", '  highlight: { html: "mark", markdown: "==", page: "element" },\n'],
  ],
  "src/web/app/text/marks.ts": [
    [
      "readonly [Name in Format]: EditedMark<Name> } = {\n",
      '  highlight: edited("highlight", { icon: Bold, key: "Mod-h", typed: [/==([^=]+)==$/], pasted: [{ tag: "mark" }] }),\n',
    ],
  ],
  "src/web/app/words/en/text.json": [['  "text": {\n', '    "highlight": "Highlighted",\n']],
};
const operator: Changes = {
  "src/core/interpreter/language/comparison.ts": [
    [
      "const operators = {\n",
      '  "Shares a part": { holds: (a, b) => somePair(said(a), said(b), includes), cost: "pairs", rows: "same", sign: "~" },\n',
    ],
  ],
};
const provider: Changes = {
  "src/core/credentials/providers.ts": [
    [
      "providers: readonly CredentialsKind[] = [\n",
      '  defineProvider({ type: "novel", name: "Novel", summary: "Models of Novel.", baseUrl: "https://novel.example", takesBaseUrl: false }),\n',
    ],
  ],
  "src/core/blocks/models/novel.ts":
    'import { defineChatBlock } from "./chat-completion.ts";\n\nexport const novel = defineChatBlock("novel", { icon: "cpu", words: ["ai"] });\n',
  "src/core/blocks/index.ts": [
    ['import { mistral } from "./models/mistral.ts";\n', 'import { novel } from "./models/novel.ts";\n'],
    ["createRegistry([\n", "  novel,\n"],
  ],
};
const look: Changes = {
  "src/core/interpreter/schemas/default-look.ts": [
    [`    thickness: ${lookDefaults.progressBar.thickness},\n`, "    thickness: 9,\n", "instead"],
  ],
};
const credentials: Changes = {
  "src/core/credentials/novel-search.ts": `import { Type } from "@sinclair/typebox";
import { type CredentialsKind, textIn } from "./kind.ts";
import { key } from "./members.ts";

export const novelSearch: CredentialsKind = {
  ...{ type: "novel-search", name: "Novel search", summary: "Finds.", page: "integrations.md" },
  schema: Type.Object({ apiKey: key() }),
  trial: { kind: "call", path: "/me" },
  secretMembers: ["apiKey"],
  destination: () => "https://search.example",
  service: {
    name: "novel-search",
    isBilled: true,
    baseUrl: () => "https://search.example",
    sign: (data) => ({ headers: [["x-key", textIn(data, "apiKey") ?? ""]] }),
  },
};
`,
  "src/core/credentials/index.ts": [
    ['import { nocodb } from "./nocodb.ts";\n', 'import { novelSearch } from "./novel-search.ts";\n'],
    ["new Map(\n  [\n", "    novelSearch,\n"],
  ],
};

const channel: Changes = {
  "src/core/channels/novel/index.ts": `import { defineChannel } from "../channel.ts";
import { webhook } from "../webhook/index.ts";

export const novel = defineChannel({ ...webhook, type: "novel", name: "Novel", page: "channels-novel.md" });
`,
  "src/core/channels/index.ts": [
    ['import { telegram } from "./telegram/index.ts";\n', 'import { novel } from "./novel/index.ts";\n'],
    ["  [telegram.type, telegram],\n", "  [novel.type, novel],\n"],
  ],
};
const retry: Changes = {
  "src/limits/retry-settings.ts": [
    [
      "export const retrySettings = {\n",
      '  NOVEL_RETRY_SECONDS: Type.String({ default: "1,5", format: "pauses", description: "Pauses.", expected: "numbers" }),\n',
    ],
  ],
};
const setting: Changes = {
  "src/config.ts": [
    [
      "  ...retrySettings,\n",
      '  CUSTOM_DOMAINS: Type.Integer({ default: 100, minimum: 1, description: "Domains.", expected: "a number" }),\n',
    ],
  ],
  "src/management/domains/custom-domains.ts": [
    ["limits.customDomains.perWorkspace", "deps.config.CUSTOM_DOMAINS", "instead"],
  ],
  "src/limits/outside.ts": [
    [
      "    /** The number is limited because each domain is resolved repeatedly. */\n    perWorkspace: 100,\n",
      "",
      "instead",
    ],
  ],
};
const chart: Changes = {
  "src/web/app/screens/insight/left.tsx": `import type { Insight } from "../../insight/rates.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, useWords } from "../../words/index.ts";

export function Open({ insight }: { readonly insight: Insight }) {
  const words = useWords(insightWords);
  return <p class="insight-card">{words.stillOpen} {numberText(insight.starts - insight.completions)}</p>;
}
`,
  "src/web/app/screens/insight/index.tsx": [
    ['import { Funnel } from "./funnel.tsx";\n', 'import { Open } from "./left.tsx";\n'],
    ["        <Durations {...props} />\n", "        <Open insight={props.insight} />\n"],
  ],
  "src/web/app/words/en/insight.json": [['  "insight": {\n', '    "stillOpen": "Still open:",\n']],
};

const files = { mark, operator, provider, look, credentials, channel, retry, setting, chart };
const all: Changes = Object.assign({}, ...Object.values(files));

/** A program that runs in the copy of the project, and prints how each part of the code handles the new kinds. */
const program = `
import { renderToString } from "preact-render-to-string";
import { h } from "preact";
import { ConfigSchema, readConfig } from "./src/config.ts";
import { blocks } from "./src/core/blocks/index.ts";
import { channels } from "./src/core/channels/index.ts";
import { modelTypes } from "./src/core/blocks/models/chat-options.ts";
import { credentialsKinds, serverNames } from "./src/core/credentials/index.ts";
import { conditionSchema } from "./src/core/interpreter/evaluation/condition.ts";
import { operatorOf } from "./src/core/interpreter/language/comparison.ts";
import { rowOperators } from "./src/core/interpreter/language/row-filter.ts";
import { toHtml } from "./src/core/interpreter/rich-text/html.ts";
import { toMarkdown } from "./src/core/interpreter/rich-text/markdown.ts";
import { ThemeSchema } from "./src/core/interpreter/schemas/theme.ts";
import { isPaid } from "./src/effects/index.ts";
import { channelWords } from "./src/management/channels/schemas.ts";
import { Open } from "./src/web/app/screens/insight/left.tsx";
import { RichText } from "./src/web/components/RichText.tsx";
import { themeProperties } from "./src/web/conversation/theme/theme.ts";
import { formats } from "./src/web/app/text/marks.ts";
import { readTree } from "./src/web/app/text/read-tree.ts";
import { textSchema } from "./src/web/app/text/schema.ts";
import { writeTree } from "./src/web/app/text/write-tree.ts";

const marked = [{ type: "p", children: [{ text: "x", highlight: true }] }];
const bar = ThemeSchema.properties.general.properties.progressBar.properties;
console.log(JSON.stringify({
  html: toHtml(marked),
  markdown: toMarkdown(marked),
  page: renderToString(h(RichText, { nodes: marked[0].children })),
  formats,
  schema: Object.keys(textSchema.marks),
  edited: writeTree(readTree(marked).copy(readTree(marked).content)),
  read: readTree(marked).firstChild.firstChild.marks.map((one) => one.type.name),
  document: JSON.stringify(blocks.get("text").shown ?? blocks.get("text")).includes("\`highlight\`"),
  conditions: JSON.stringify(conditionSchema).includes("Shares a part"),
  rows: rowOperators.includes("Shares a part"),
  cost: operatorOf("Shares a part").cost,
  models: modelTypes.includes("novel"),
  block: blocks.get("novel").editor.name,
  kinds: ["novel", "novel-search"].map((type) => credentialsKinds.get(type)?.name),
  servers: serverNames().includes("novel-search"),
  setting: ConfigSchema.properties.PROVIDER_URLS.expected.includes("novel-search"),
  billed: ["novel-search", "segment", "unknown"].map((credentialsType) => isPaid({ kind: "call", credentialsType }, {})),
  channel: [channels.get("novel").name, channelWords.includes("novel")],
  settings: [readConfig({ NOVEL_RETRY_SECONDS: "3" }).NOVEL_RETRY_SECONDS, readConfig({}).CUSTOM_DOMAINS],
  chart: renderToString(h(Open, { insight: { starts: 5, completions: 2 } })),
  thickness: [bar.thickness.default, themeProperties({ general: { progressBar: { isEnabled: true } } }).get("--parley-progress-bar-height")],
}));
`;

const checkout = join(import.meta.dir, "..");
const copy = temporaryFolder();

beforeAll(() => {
  for (const name of ["src", "workers", "tsconfig.json", "package.json"])
    cpSync(join(checkout, name), join(copy.path, name), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(copy.path, "node_modules"));
});
afterAll(() => copy.remove(), 60_000);

/** Applies the changes to the copy. Each changed file is read from the checkout. */
async function make(changes: Changes): Promise<void> {
  for (const [path, change] of Object.entries(changes)) {
    let text = typeof change === "string" ? change : await Bun.file(join(checkout, path)).text();
    for (const [found, added, place] of typeof change === "string" ? [] : change) {
      expect(text.split(found), `${path} has ${found}`).toHaveLength(2);
      text = text.replace(found, () => (place === "instead" ? added : found + added));
    }
    await Bun.write(join(copy.path, path), text);
  }
}

test("an extension of each kind can be added by changing at most three files", async () => {
  await make(all);
  await Bun.write(join(copy.path, "program.ts"), program);
  const { stdout, stderr } = Bun.spawnSync([process.execPath, "program.ts"], { cwd: copy.path });
  expect(stderr.toString()).toBe("");

  expect(JSON.parse(stdout.toString())).toEqual({
    html: "<p><mark>x</mark></p>",
    markdown: "==x==",
    page: "<mark>x</mark>",
    formats: expect.arrayContaining(["highlight", "bold", "code"]),
    schema: expect.arrayContaining(["link", "highlight", "rest"]),
    edited: [{ type: "p", children: [{ text: "x", highlight: true }] }],
    read: ["highlight"],
    document: true,
    conditions: true,
    rows: true,
    cost: "pairs",
    models: true,
    block: "Novel",
    kinds: ["Novel", "Novel search"],
    servers: true,
    setting: true,
    billed: [true, false, false],
    channel: ["Novel", true],
    settings: ["3", 100],
    chart: '<p class="insight-card">Still open: 3</p>',
    thickness: [9, "9px"],
  });
  expect(Object.fromEntries(Object.entries(files).map(([name, made]) => [name, Object.keys(made).length]))).toEqual({
    // The third file contains the label of the mark.
    mark: 3,
    operator: 1,
    // Three files: the provider, its block, and the list of blocks.
    provider: 3,
    look: 1,
    // Two files: the kind, and the list of kinds.
    credentials: 2,
    // Two files: the channel, and the list of channels.
    channel: 2,
    retry: 1,
    // Three files: the setting, the code that uses the setting, and the limit that the setting replaces.
    setting: 3,
    // Three files: the chart, the screen with the chart, and the labels.
    chart: 3,
  });
});

/** Returns the files of the copy in which the compiler reports errors. */
function compilerProblems(): string[] {
  const { stdout } = Bun.spawnSync(
    [process.execPath, join(checkout, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.json"],
    { cwd: copy.path },
  );
  return [...new Set([...stdout.toString().matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, path]) => path ?? ""))];
}

longTest(
  "the compiler accepts complete extensions and reports missing parts",
  async () => {
    await make(all);
    expect(compilerProblems()).toEqual([]);

    const without = (changes: Changes, path: string, part: string | RegExp): Changes => {
      const change = changes[path];
      if (change === undefined) throw new Error(`Nothing changes ${path}`);
      if (typeof change === "string") return { [path]: change.replace(part, "") };
      return { [path]: change.map(([after, added]) => [after, added.replace(part, "")]) };
    };
    await make({
      ...without(mark, "src/web/app/text/marks.ts", /^.*$/m),
      ...without(operator, "src/core/interpreter/language/comparison.ts", ' cost: "pairs",'),
      ...without(credentials, "src/core/credentials/novel-search.ts", "    isBilled: true,\n"),
    });
    expect(compilerProblems()).toEqual(
      expect.arrayContaining([
        "src/web/app/text/marks.ts",
        "src/core/interpreter/language/comparison.ts",
        "src/core/credentials/novel-search.ts",
      ]),
    );
  },
  1_200_000,
);
