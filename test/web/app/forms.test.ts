import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { isJsonObject } from "../../../src/interpreter/flow.ts";
import { getFlowSchemas, listBlockTypes } from "../../../src/services/block-types.ts";
import { helpOf } from "../../../src/web/app/forms/help.ts";
import { formIcons } from "../../../src/web/app/forms/icons.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import { schemaAt } from "../../../src/web/app/forms/values.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { blocksOfFlow, storedFlowFiles } from "../../support/stored-flows.ts";
import type { FormsPage, SetCall, ShownForm } from "./forms-page.tsx";

declare global {
  interface Window {
    readonly forms: FormsPage;
  }
}

const browserTest = browserTests();
const types = new Map(listBlockTypes().map((one) => [one.type, one]));
const schemas = getFlowSchemas();
const all = [...types.values(), ...Object.entries(schemas).map(([type, schema]) => ({ type, schema }))];
const bundled = bundle();

/** Pictures and films of other machines are not there. */
const isOurs = (problem: string) => !problem.includes("ERR_INTERNET_DISCONNECTED");

describe("opening and closing a form writes nothing", () => {
  browserTest("of any block, event, variable, theme and settings of every stored flow", async ({ page, problems }) => {
    await open(page);
    for (const { name, flow } of storedFlowFiles()) {
      const { sets: written, fields } = await page.evaluate((forms) => window.forms.openAll(forms), formsOf(flow));
      expect(written, name).toEqual([]);
      expect(fields, name).toBeGreaterThan(50);
    }
    expect(problems.filter(isOurs)).toEqual([]);
  });

  browserTest(
    "of any type, with every field filled in, with none, and with values of other types",
    async ({ page, problems }) => {
      await open(page);
      for (const make of [full, () => ({ id: "x" }), odd]) {
        const forms = all.map(({ type, schema }) => ({ name: type, schema, value: make(schema) }));
        expect((await page.evaluate((shown) => window.forms.openAll(shown), forms)).sets).toEqual([]);
      }
      expect(problems.filter(isOurs)).toEqual([]);
    },
  );
});

const looked = {
  light: [
    "text",
    "choice input",
    "Set variable",
    "Webhook",
    "Condition",
    "date input",
    "Email",
    "openai",
    "theme",
    "variable",
  ],
  dark: ["text", "Webhook", "theme"],
} as const;
/** Their options are those of others, in the same words. */
const twins = new Set([
  "Zapier",
  "Make.com",
  "Pabbly",
  "mistral",
  "groq",
  "deepseek",
  "perplexity",
  "open-router",
  "together-ai",
]);

for (const colorScheme of ["light", "dark"] as const) {
  browserTest(
    `axe finds nothing wrong with any widget, ${colorScheme}`,
    async ({ page }) => {
      await open(page);
      const shown: readonly string[] = looked[colorScheme];
      const found: string[] = [];
      for (const { type, schema } of all.filter((one) => shown.includes(one.type))) {
        await page.evaluate((form) => window.forms.show(form), { name: type, schema, value: full(schema) });
        found.push(...(await axeProblems(page)).map((problem) => `${type}: ${problem}`));
      }
      expect(found).toEqual([]);
    },
    { colorScheme, viewport: { width: 390, height: 844 } },
  );
}

test("what a form says of a field is for who fills it in", () => {
  const help = (type: string, path: readonly string[]) => helpOf(schemaAt(types.get(type)?.schema ?? {}, path) ?? {});
  expect(help("text input", ["options", "variableId"])).toBe("The variable that the answer is written to.");
  expect(help("Set variable", ["options", "saveErrorInVariableId"])).toBe(
    "The variable that the error of code that failed is written to.",
  );
  expect(help("choice input", ["options", "isMultipleChoice"])).toBe("");
  expect(help("Wait", ["options", "secondsToWaitFor"])).toStartWith("How many seconds.");
});

test("every icon that the catalogue names is there", () => {
  const named = [...types.values()].map(({ editor }) => editor.icon);
  expect(named.filter((icon) => !Object.hasOwn(formIcons, icon))).toEqual([]);
});

test("the editor for rich text weighs at most 70 kB, and comes when it is met", async () => {
  const build = await Bun.build({
    entrypoints: [join(import.meta.dir, "../../../src/web/app/forms/index.ts")],
    target: "browser",
    splitting: true,
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const parts = await Promise.all(
    build.outputs
      .filter(({ kind }) => kind !== "asset")
      .map(async (part) => ({ text: await part.text(), kind: part.kind })),
  );
  const weight = (text: string) => brotliCompressSync(text).length;
  const isEditor = ({ text }: { text: string }) => text.includes("ProseMirror-");
  expect(parts.filter(isEditor).map(({ kind }) => kind)).toEqual(["chunk"]);
  for (const part of parts.filter(isEditor)) expect(weight(part.text)).toBeLessThan(70_000);
  for (const part of parts.filter((one) => !isEditor(one))) expect(weight(part.text)).toBeLessThan(32_000);
});

describe("editing a field changes that field", () => {
  browserTest("of every type with options of its own, one after the other", async ({ page, problems }) => {
    await open(page);
    let fields = 0;
    for (const { type, schema } of all.filter((one) => !twins.has(one.type))) {
      const told = await page.evaluate(
        async (form) => {
          await window.forms.show(form);
          return window.forms.writeEach();
        },
        { name: type, schema, value: full(schema) },
      );
      expect(
        told.filter(({ sets: calls, changed }) => calls.length > 1 || changed.length !== calls.length),
        type,
      ).toEqual([]);
      fields += told.filter(({ changed }) => changed.length === 1).length;
    }
    expect(fields).toBeGreaterThan(250);
    expect(problems.filter(isOurs)).toEqual([]);
  });

  browserTest("what is no number stays in the field, and the last number in the draft", async ({ page }) => {
    await open(page);
    await show(page, "Webhook", { options: { timeout: 5 } });
    const field = page.getByLabel("Timeout", { exact: true });
    await field.fill("soon");
    expect(await field.inputValue()).toBe("soon");
    expect(await page.getByText("Write a number, such as 12 or 0.5.").isVisible()).toBe(true);
    expect(await sets(page)).toEqual([]);
    await field.fill("12.5");
    expect(await sets(page)).toEqual([{ path: ["options", "timeout"], value: 12.5 }]);
    await page.getByRole("button", { name: "Timeout: back to the default" }).click();
    expect(await page.evaluate(() => window.forms.value())).toEqual({ id: "x", type: "Webhook", options: {} });
  });

  browserTest("what was typed into one block's form is not in the next one's", async ({ page }) => {
    await open(page);
    await show(page, "Webhook", { options: { timeout: 5 } });
    await page.getByLabel("Timeout", { exact: true }).fill("soon");
    const form = {
      name: "Webhook",
      schema: types.get("Webhook")?.schema ?? {},
      value: { id: "y", options: { timeout: 5 } },
    };
    await page.evaluate((next) => window.forms.swap(next), form);
    expect(await page.getByLabel("Timeout", { exact: true }).inputValue()).toBe("5");
    expect(await sets(page)).toEqual([]);
  });

  browserTest("an emptied text is none, but where an empty one means something", async ({ page }) => {
    await open(page);
    await show(page, "text input", { options: { labels: { button: "Go", placeholder: "Type" } } });
    await page.getByLabel("Button", { exact: true }).fill("");
    expect(await page.evaluate(() => window.forms.value())).toEqual({
      id: "x",
      type: "text input",
      options: { labels: { placeholder: "Type" } },
    });
    const form = {
      name: "settings",
      schema: schemas.settings,
      value: { general: { systemMessages: { noAnswer: "No" } } },
    };
    await page.evaluate((shown) => window.forms.show(shown), form);
    await page.getByLabel("Model does not answer", { exact: true }).fill("");
    expect(await sets(page)).toEqual([{ path: ["general", "systemMessages", "noAnswer"], value: "" }]);
  });

  browserTest(
    "a variable is inserted by its braces, made where it is missing, and chosen by its name",
    async ({ page }) => {
      await open(page);
      await show(page, "text input", {});
      const field = page.getByLabel("Placeholder", { exact: true });
      await field.click();
      await page.keyboard.type("Dear {{na");
      await page.getByRole("option", { name: "Name", exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type(" {{Town");
      await page.keyboard.press("Enter");
      expect(await field.inputValue()).toBe("Dear {{Name}} {{Town}}");
      await page.getByLabel("Save answer in", { exact: true }).fill("tow");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => window.forms.value())).toMatchObject({
        options: { labels: { placeholder: "Dear {{Name}} {{Town}}" }, variableId: "v_Town" },
      });
    },
  );

  browserTest("entries of a list are added, moved by keys and removed", async ({ page }) => {
    await open(page);
    await show(page, "choice input", {
      items: [
        { id: "a", content: "One", colour: 1 },
        { id: "b", content: "Two" },
      ],
    });
    await page.getByRole("button", { name: "Add to Buttons" }).click();
    await page.keyboard.type("Three");
    await page.keyboard.press("Alt+ArrowUp");
    expect(await contents(page)).toEqual(["One", "Three", "Two"]);
    await page.getByRole("button", { name: "Move One down" }).click();
    await page.getByRole("button", { name: "Remove Two" }).click();
    expect(await contents(page)).toEqual(["Three", "One"]);
    expect(await page.evaluate(() => window.forms.value())).toMatchObject({
      items: [{}, { id: "a", content: "One", colour: 1 }],
    });
  });

  browserTest("fields come and go with what they depend on, and keep what they hold", async ({ page }) => {
    await open(page);
    await show(page, "Set variable", { options: { type: "Now", timeZone: "Europe/Rome", expressionToEvaluate: "1" } });
    expect(await page.getByLabel("Time zone", { exact: true }).isVisible()).toBe(true);
    expect(await page.getByLabel("Expression", { exact: true }).count()).toBe(0);
    await page.getByLabel("Set to", { exact: true }).selectOption("Custom");
    expect(await page.getByLabel("Time zone", { exact: true }).count()).toBe(0);
    expect(await page.getByLabel("Expression", { exact: true }).inputValue()).toBe("1");
    expect(await sets(page)).toEqual([{ path: ["options", "type"], value: "Custom" }]);
  });

  browserTest("Tab indents code until Escape lets it go on", async ({ page }) => {
    await open(page);
    await show(page, "Code", { options: { content: "" } });
    const code = page.getByRole("textbox", { name: "Code" });
    await code.click();
    await page.keyboard.press("Tab");
    await page.keyboard.type("x");
    expect(await code.inputValue()).toBe("  x");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await code.evaluate((element) => element === document.activeElement)).toBe(false);
    expect(await code.inputValue()).toBe("  x");
  });

  browserTest(
    "rich text: marks and chips as one types, the toolbar by keys, and nothing else changes",
    async ({ page, problems }) => {
      await open(page);
      const kept = { type: "callout", children: [{ text: "kept" }], colour: 1 };
      await show(page, "text", {
        content: { richText: [kept, { type: "p", children: [{ text: "Hi " }] }], mood: "good" },
      });
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.locator("p").click();
      await page.keyboard.press("End");
      await page.keyboard.type("{{na");
      await page.getByRole("option", { name: "Name", exact: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.keyboard.type(", **be** ");
      await page.keyboard.press("Alt+F10");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.keyboard.type("well");
      expect(await page.evaluate(() => window.forms.value())).toEqual({
        id: "x",
        type: "text",
        content: {
          mood: "good",
          richText: [
            kept,
            {
              type: "p",
              children: [
                { text: "Hi {{Name}}, " },
                { text: "be", bold: true },
                { text: " " },
                { text: "well", italic: true },
              ],
            },
          ],
        },
      });
      await page.keyboard.press("Enter");
      await page.keyboard.type("- one");
      await page.keyboard.press("Enter");
      await page.keyboard.type("two");
      const tree = await page.evaluate(() => JSON.stringify(window.forms.value()));
      expect(tree).toContain('{"type":"ul","children":[{"type":"li","children":[{"type":"lic"');
      expect(problems).toEqual([]);
    },
  );

  browserTest(
    "what is pasted from a page comes as what fits, without its scripts and styles",
    async ({ page, problems }) => {
      await open(page);
      await show(page, "text", {});
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.click();
      await text.evaluate((element) => {
        const data = new DataTransfer();
        data.setData(
          "text/html",
          '<h1 style="color:red">Big</h1><p>Hi <b>{{Name}}</b> <a href="https://e.example">here</a><img src=x onerror="document.title=1"><span style="font-style: italic; font-weight:700">both</span></p><ul><li>one</li></ul>',
        );
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      });
      expect(await page.evaluate(() => window.forms.value())).toMatchObject({
        content: {
          richText: [
            { type: "p", children: [{ text: "Big" }] },
            {
              type: "p",
              children: [
                { text: "Hi " },
                { text: "{{Name}}", bold: true },
                { text: " " },
                { type: "a", url: "https://e.example", children: [{ text: "here" }] },
                { text: "both", bold: true, italic: true },
              ],
            },
            { type: "ul", children: [{ type: "li", children: [{ type: "lic", children: [{ text: "one" }] }] }] },
          ],
        },
      });
      expect(problems).toEqual([]);
    },
  );
});

async function bundle(): Promise<{ readonly script: string; readonly style: string }> {
  const build = await Bun.build({
    entrypoints: [join(import.meta.dir, "forms-page.tsx")],
    target: "browser",
    format: "esm",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const texts = await Promise.all(
    build.outputs.map(async (one) => [one.path.endsWith(".css"), await one.text()] as const),
  );
  const all = (isStyle: boolean) => texts.flatMap(([isCss, text]) => (isCss === isStyle ? [text] : [])).join("\n");
  return { script: all(false), style: all(true) };
}

/** Under the policy of the builder's pages. */
async function open(page: Page): Promise<void> {
  const { script, style } = await bundled;
  const html = `<!doctype html><html lang="en"><title>Forms</title><link rel="stylesheet" href="/forms.css"><body><header><h1>Forms</h1></header><script type="module" src="/forms.js"></script>`;
  await page.route("http://localhost:1/*", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/forms.js") return route.fulfill({ contentType: "text/javascript", body: script });
    if (pathname === "/forms.css") return route.fulfill({ contentType: "text/css", body: style });
    return route.fulfill({
      contentType: "text/html",
      headers: {
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; require-trusted-types-for 'script'",
      },
      body: pathname === "/favicon.ico" ? "" : html,
    });
  });
  await page.goto("http://localhost:1/");
  await page.waitForFunction(() => "forms" in window);
}

async function show(page: Page, type: string, value: object): Promise<void> {
  const schema = types.get(type)?.schema ?? {};
  await page.evaluate((form) => window.forms.show(form), { name: type, schema, value: { id: "x", type, ...value } });
}

function sets(page: Page): Promise<readonly SetCall[]> {
  return page.evaluate(() => window.forms.sets());
}

async function contents(page: Page): Promise<unknown> {
  const value: unknown = await page.evaluate(() => window.forms.value());
  const items: unknown = isJsonObject(value) ? value["items"] : undefined;
  return Array.isArray(items) ? items.map((item) => item.content) : items;
}

function formsOf(flow: { readonly [key: string]: unknown }): ShownForm[] {
  const listed = (key: string, schema: FieldSchema) => {
    const list: unknown = flow[key];
    return Array.isArray(list) ? list.map((value: unknown, index) => ({ name: `${key} ${index}`, schema, value })) : [];
  };
  return [
    ...blocksOfFlow(flow).map((block) => {
      const type = String(block["type"]);
      return { name: `${type} ${block["id"]}`, schema: types.get(type)?.schema ?? {}, value: block };
    }),
    ...listed("events", schemas.event),
    ...listed("variables", schemas.variable),
    ...listed("groups", schemas.group),
    { name: "theme", schema: schemas.theme, value: flow["theme"] },
    { name: "settings", schema: schemas.settings, value: flow["settings"] },
  ];
}

/** A value with every field of a schema, and a key that it does not know. */
function full(schema: FieldSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  const [first] = schema.anyOf ?? [];
  if (first) return full(schema.anyOf?.find(({ properties }) => properties) ?? first);
  switch (schema.type) {
    case "object":
      return {
        ...Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, full(field)])),
        unknownKey: [1, { a: null }],
      };
    case "array":
      return schema.widget === "richText"
        ? [{ type: "p", children: [{ text: "Hi" }] }]
        : [full(schema.items ?? {}), full(schema.items ?? {})];
    case "boolean":
      return true;
    case "number":
    case "integer":
      return 3;
    case "string":
      return schema.examples?.[0] ?? "some {{Name}}";
    default:
      return { some: "value" };
  }
}

/** As `full`, but nothing is of the type that it should be. */
function odd(schema: FieldSchema): unknown {
  if (!schema.properties) return { odd: [1, null] };
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, field]) => [key, field.properties ? odd(field) : { odd: true }]),
  );
}
