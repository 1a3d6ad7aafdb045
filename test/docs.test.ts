import { expect, test } from "bun:test";
import { ConfigSchema } from "../src/config.ts";
import { blocks } from "../src/core/blocks/index.ts";
import { errorCatalogue } from "../src/errors.ts";
import { events } from "../src/events.ts";
import { listBlockTypes } from "../src/management/block-types/block-types.ts";
import { operations } from "../src/service/operations.ts";
import { runCommand } from "./support/service.ts";
import { readPages } from "./support/tidy/markdown.ts";
import { listFiles, readText, sectionOf } from "./support/tidy/project.ts";

/**
 * The pages for operators and callers, and the README. Decisions describe the past, and `contributing.md` and
 * `driver.md` use different terms.
 */
const pages = readPages().filter(({ path }) => /^(README|docs\/(?!contributing|driver)[\w-]+)\.md$/.test(path));
/** An operation in text: `POST …/publish`, `GET /api/v1/bots/{botId}`. */
const named = /`((?:GET|POST|PUT|PATCH|DELETE)) ((?:…|\/)[^`\s]*)`/g;
/** Names that are not settings, but belong to HTTP, DNS, signals, SQL, or other software. */
const otherNames =
  /^(DELETE|POST|PATCH|HTTP|HTTPS|CNAME|AAAA|SIGTERM|SIGINT|SIGKILL|ADMINs?|SITE|APP_SITE|APP|HTTP_PORT|HTTPS_PORT|PARLEY_\w+|OTEL_\w+|INLINE_STEPS|ETCD_ENABLE_V2|CHROMIUM_PATH|SEMMN[IS]|FATAL|JSON|NEW|PARLEY|TOKEN|PUBLIC_ID|SESSION|BOT|WORKSPACE|SERVER|MODEL|ACCOUNT|COMMENT|CREDENTIALS|FLOW|FILE|NAME|CI|BASE|REVISION|RESULT|LEAVER|CHAT|ORDERS|ADDRESS|EXPORTS|COPY|ERASURES|TESTS|TAG|SHA256SUMS|README|SECURITY|CHANGELOG)$/;

function met(pattern: RegExp): { path: string; name: string }[] {
  return pages.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, name = ""]) => ({ path, name })));
}

test("every setting mentioned in a page exists", () => {
  const names = met(/(?:`|\s)([A-Z][A-Z0-9_]{2,}[A-Z0-9])(?:`|=)/g);

  expect(names.length).toBeGreaterThan(60);
  expect(names.filter(({ name }) => !(name in ConfigSchema.properties) && !otherNames.test(name))).toEqual([]);
});

test("the table of settings for several nodes contains each setting once", () => {
  const [, table = ""] = /(\| Setting .*?)\n\n/s.exec(readText("docs/scaling.md")) ?? [];
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = ""]) => name),
  );
  const rowsOf = (setting: string) =>
    named.filter(
      (name) => name === setting || (name.endsWith("_") && setting.startsWith(name) && !named.includes(setting)),
    );

  expect(Object.keys(ConfigSchema.properties).filter((setting) => rowsOf(setting).length !== 1)).toEqual([]);
});

test("every error code mentioned in a page exists", () => {
  const nouns = new Set(Object.keys(errorCatalogue).map((code) => code.split(".")[0]));
  const codes = met(/`([a-z_]+\.[a-z_]+)`/g).filter(({ name }) => nouns.has(name.split(".")[0]));
  // Scopes of limits, event names, log lines and a file name look like error codes.
  const others =
    /^(workspace\.starts|session\.steps|callback\.calls|bot\.starts|custom_domain\.(unproved|lost)|bot\.json)$/;

  expect(codes.length).toBeGreaterThan(80);
  expect(codes.filter(({ name }) => !(name in errorCatalogue || name in events) && !others.test(name))).toEqual([]);
});

test("every probe operation and every metric mentioned in a page exists", () => {
  const paths = operations.map(({ path }) => path);
  const program = listFiles("src").filter((path) => path.endsWith(".ts"));
  const sources = program.map((path) => readText(`src/${path}`)).join("\n");

  expect(met(/`(\/api\/(?:readyz|healthz))`/g).filter(({ name }) => !paths.includes(name))).toEqual([]);
  const metrics = met(/`(parley_[a-z_]+[a-z])`/g);
  expect(metrics.length).toBeGreaterThan(5);
  expect(metrics.filter(({ name }) => !sources.includes(name.replace(/_(bucket|count|sum)$/, "")))).toEqual([]);
});

test("every command mentioned in a page exists, with the mentioned options", async () => {
  const lines = met(/(?:`|^(?: {4})?(?:\S+=\S+ )*)parley ((?:[a-z][\w-]*)(?: [^`#\n|&;]*)?)/gm).map(({ name }) =>
    name.trim(),
  );
  const words = new Set(lines.map((line) => line.split(" ")[0] ?? ""));
  const { stdout: help } = await runCommand(["help"]);

  expect(words.size).toBeGreaterThan(6);
  for (const word of words) expect(help).toMatch(new RegExp(`^ {2}${word} `, "m"));
  const withOptions = lines.filter((text) => text.includes(" --"));
  const commandOf = (line: string): string => {
    const command = line.split(" ").filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith("-"));
    return command.slice(0, /^(token|user|bots|results|archive|channels)$/.test(command[0] ?? "") ? 2 : 1).join(" ");
  };
  // Run each command only once, because it starts a process and pages name many commands several times.
  const helps = new Map<string, string>();
  for (const command of new Set(withOptions.map(commandOf))) {
    helps.set(command, (await runCommand([...command.split(" "), "--help"])).stdout);
  }
  for (const line of withOptions) {
    for (const [option] of line.matchAll(/--[a-z]+/g)) expect(helps.get(commandOf(line))).toContain(option);
  }
});

test("the messages quoted on the troubleshooting page exist in the program", () => {
  const quoted = [...readText("docs/troubleshooting.md").matchAll(/^\| `([^`]+)` +\|/gm)].map(([, text = ""]) => text);
  const sources = listFiles("src")
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readText(`src/${path}`))
    .join("\n");
  const parts = quoted.flatMap((text) => text.split("…").map((part) => part.trim())).filter((part) => part !== "");

  expect(parts.length).toBeGreaterThan(10);
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

test("the page about moving lists Parley's own block types", () => {
  const text = sectionOf(readText("docs/moving.md"), "Blocks that other systems do not read");
  const named = [...text.matchAll(/^\| `([^`]+)` +\| an? `([^`]+)`/gm)].map(([, type, known]) => ({ type, known }));
  const own = listBlockTypes().filter(({ isOwn }) => isOwn);

  expect(own.length).toBeGreaterThan(2);
  expect(named).toEqual(
    own.map(({ type }) => ({ type, known: blocks.get(type)?.input?.asKnown?.({ id: "asked", type }).type })),
  );
});

test("every operation mentioned in a page exists", () => {
  const ofTheDocument = ["GET /api/v1/docs/json", "GET /api/openapi.json"];
  const served = operations
    .map(({ method, path }) => `${method} ${path}`.replaceAll(/:\w+/g, ":x"))
    .concat(ofTheDocument);
  const notServed = [...sectionOf(readText("docs/moving.md"), "What Parley does not serve").matchAll(named)];
  const here = (found: RegExpMatchArray) => {
    const [, methods = "", path = ""] = found;
    const wanted = path.replace(/[?].*/, "").replaceAll(/\{\w+\}|:\w+|\$\w+/g, ":x");
    return methods.split(/[|,] ?/).every((method) => {
      const end = wanted.startsWith("…")
        ? wanted.slice(1)
        : wanted.startsWith("/api/")
          ? ` ${wanted}`
          : `/api/v1${wanted}`;
      return served.some((operation) => operation.startsWith(`${method} `) && operation.endsWith(end));
    });
  };
  const elsewhere = pages.flatMap(({ path, text }) =>
    [...text.replace(sectionOf(readText("docs/moving.md"), "What Parley does not serve"), "").matchAll(named)]
      .filter((found) => !here(found))
      .map(([text]) => `${path}: ${text}`),
  );

  expect(notServed.length).toBeGreaterThan(5);
  expect(notServed.filter(here).map(([text]) => text)).toEqual([]);
  expect(elsewhere).toEqual([]);
});
