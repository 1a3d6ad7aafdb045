import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { isJsonObject, valueAt } from "../../../src/core/interpreter/flow.ts";
import { formIcons } from "../../../src/web/app/forms/icons.ts";
import { editedMarks, formats } from "../../../src/web/app/text/marks.ts";
import textWords from "../../../src/web/app/words/en/text.json";
import { languages } from "../../../src/web/app/words/index.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { isLong } from "../../support/campaigns.ts";
import { waitFor } from "../../support/wait.ts";
import { all, full, isOurs, openForms, schemas, sets, show, twins, types } from "./forms-browser.ts";

const browserTest = browserTests();
const inLongRun = longBrowserTests();

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
  dark: isLong ? ["text", "Webhook", "theme"] : ["theme"],
} as const;
for (const colorScheme of ["light", "dark"] as const) {
  browserTest(
    `axe reports no violation in the tested forms in the ${colorScheme} colour scheme`,
    async ({ page }) => {
      await openForms(page);
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

browserTest("a form shows the help of a field, and not its description", async ({ page }) => {
  await openForms(page);
  await show(page, "Wait", { options: {} });
  const hints = page.locator(".app-form .app-field-help");
  expect(await hints.allTextContents()).toEqual(["Otherwise the flow continues, and only its messages are delayed."]);
});

test("every icon named in the catalogue exists", () => {
  const named = [...types.values()].map(({ editor }) => editor.icon);
  expect(named.filter((icon) => !Object.hasOwn(formIcons, icon))).toEqual([]);
});

test("the compressed text and code editors stay below their size limits", async () => {
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
  const weightOf = (chosen: typeof parts) => chosen.reduce((sum, { text }) => sum + brotliCompressSync(text).length, 0);
  const isText = ({ text }: { text: string }) => text.includes("ProseMirror-");
  const isCode = ({ text }: { text: string }) => text.includes("cm-content") || text.includes("LanguageSupport");
  expect(parts.filter(isText).map(({ kind }) => kind)).toEqual(["chunk"]);
  expect(new Set(parts.filter(isCode).map(({ kind }) => kind))).toEqual(new Set(["chunk"]));
  expect(weightOf(parts.filter(isText))).toBeLessThan(70_000);
  expect(weightOf(parts.filter(isCode))).toBeWithin(100_000, 165_000);
  // A language is loaded completely when it is chosen.
  const isLanguage = ({ text }: { text: string }) => /\bas catalogue\b/.test(text);
  const ofLanguages = parts.filter(isLanguage);
  expect(ofLanguages.map(({ kind }) => kind)).toEqual(languages.slice(1).map(() => "chunk"));
  for (const part of ofLanguages) expect(weightOf([part])).toBeLessThan(62_000);
  const others = parts.filter((one) => !isText(one) && !isCode(one) && !isLanguage(one));
  for (const part of others) expect(weightOf([part])).toBeLessThan(34_000);
});

describe("the fields of a form", () => {
  browserTest("writing a field of a form changes only the value of this field", async ({ page, problems }) => {
    await openForms(page);
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

  browserTest("a text that is not a number stays in the field", async ({ page }) => {
    await openForms(page);
    await show(page, "Webhook", { options: { timeout: 5 } });
    const field = page.getByLabel("Timeout", { exact: true });
    await field.fill("soon");
    expect(await field.inputValue()).toBe("soon");
    expect(await page.getByText("Enter a number, such as 12 or 0.5.").isVisible()).toBe(true);
    expect(await sets(page)).toEqual([]);
    await field.fill("12.5");
    expect(await sets(page)).toEqual([{ path: ["options", "timeout"], value: 12.5 }]);
    await page.getByRole("button", { name: "Reset Timeout" }).click();
    expect(await page.evaluate(() => window.forms.value())).toEqual({ id: "x", type: "Webhook", options: {} });
  });

  browserTest("text typed into one block's form does not appear in the next block's form", async ({ page }) => {
    await openForms(page);
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

  browserTest("an emptied text is removed, unless an empty text has a meaning", async ({ page }) => {
    await openForms(page);
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

  browserTest("a variable is inserted by typing braces", async ({ page }) => {
    await openForms(page);
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
  });

  inLongRun(
    "a variable with exactly the typed name comes before variables whose names contain it",
    async ({ page }) => {
      await openForms(page);
      await show(page, "text input", {});
      const saved = page.getByLabel("Save answer in", { exact: true });
      const take = async (typed: string, ...keys: readonly string[]) => {
        await saved.fill(typed);
        for (const key of [...keys, "Enter"]) await page.keyboard.press(key);
        return saved.inputValue();
      };
      expect(await take("Stückpreis €")).toBe("Stückpreis €");
      // "Preis" is a separate name, although it is part of "Stückpreis" by chance.
      expect(await take("Preis mit Steuer")).toBe("Preis mit Steuer");
      expect(await take("preis €")).toBe("preis €");
      expect(await take("stück")).toBe("Stückpreis €");
      expect(await take("steuer")).toBe("Preis mit Steuer");
      expect(await take("Preis", "ArrowDown", "ArrowDown")).toBe("Preis");
      expect(await take("Name")).toBe("Name");
      expect(await take("preis")).toBe("Preis");
      // Tab also accepts the typed text. A click on another element accepts it if the text is a name.
      const leaves = async (typed: string, leave: () => Promise<void>) => {
        await saved.fill(typed);
        await leave();
        return [await saved.inputValue(), await page.evaluate(() => document.activeElement?.tagName)];
      };
      const tab = () => page.keyboard.press("Tab");
      // The list of names covers the field below, so the test clicks on the heading.
      const press = () => page.locator("h1").click();
      expect(await leaves("Town", tab)).toEqual(["Town", expect.not.stringMatching("BODY")]);
      expect(await saved.evaluate((field) => field === document.activeElement)).toBe(false);
      expect(await leaves("steu", tab)).toContain("Preis mit Steuer");
      expect(await leaves("age", press)).toContain("Age");
      expect(await leaves("", press)).toContain("");
      expect(await leaves("Stü", press)).toContain("");
      expect(await page.evaluate(() => window.forms.value())).not.toHaveProperty("options.variableId");
      expect(await take("preis")).toBe("Preis");

      const field = page.getByLabel("Placeholder", { exact: true });
      await field.click();
      await page.keyboard.type("{{Preis");
      await page.getByRole("option", { name: "Stückpreis €" }).waitFor();
      expect(await page.locator(".app-option").allInnerTexts()).toEqual([
        "Preis",
        "Preis mit Steuer",
        "preis €",
        "Stückpreis €",
      ]);
      await page.keyboard.press("Tab");
      expect(await field.inputValue()).toBe("{{Preis}}");
    },
  );

  browserTest("entries of a list are added, moved by keyboard and removed", async ({ page }) => {
    await openForms(page);
    await show(page, "choice input", {
      items: [
        { id: "a", content: "One", colour: 1 },
        { id: "b", content: "Two" },
      ],
    });
    await page.getByRole("button", { name: "Add an option" }).click();
    await page.keyboard.type("Three");
    await page.keyboard.press("Alt+ArrowUp");
    expect(await contents(page)).toEqual(["One", "Three", "Two"]);
    // An author can type one entry after the other without the mouse. Enter in an empty entry adds no further entry.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Four");
    expect(await contents(page)).toEqual(["One", "Three", "Four", "Two"]);
    await page.getByRole("button", { name: "Remove Four" }).click();
    await page.getByLabel("Label 1", { exact: true }).press("Alt+ArrowDown");
    await page.getByRole("button", { name: "Remove Two" }).click();
    expect(await contents(page)).toEqual(["Three", "One"]);
    expect(await page.evaluate(() => window.forms.value())).toMatchObject({
      items: [{}, { id: "a", content: "One", colour: 1 }],
    });
  });

  browserTest("conditional fields appear and disappear, and keep their values", async ({ page }) => {
    await openForms(page);
    await show(page, "Set variable", { options: { type: "Now", timeZone: "Europe/Rome", expressionToEvaluate: "1" } });
    expect(await page.getByLabel("Time zone", { exact: true }).isVisible()).toBe(true);
    expect(await page.getByLabel("Expression", { exact: true }).count()).toBe(0);
    await page.getByLabel("Set to", { exact: true }).selectOption("Custom");
    expect(await page.getByLabel("Time zone", { exact: true }).count()).toBe(0);
    expect(await (await codeField(page, "Expression")).textContent()).toBe("1");
    expect(await sets(page)).toEqual([{ path: ["options", "type"] }]);
  });

  browserTest("Tab moves to the next field", async ({ page }) => {
    await openForms(page);
    await show(page, "text input", { options: {} });
    await page.getByRole("combobox", { name: "Save answer in" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("Your name");
    expect(await page.getByLabel("Placeholder", { exact: true }).inputValue()).toBe("Your name");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Insert a variable");
  });

  browserTest("the forms of images and conditions do not scroll sideways", async ({ page }) => {
    await page.setViewportSize({ width: 372, height: 900 });
    await openForms(page);
    const comparisons = [{ id: "c", comparisonOperator: "Equal to" }];
    const wider = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    for (const [type, block] of [
      ["image", {}],
      ["Condition", { items: [{ id: "a", content: { logicalOperator: "AND", comparisons } }] }],
    ] as const) {
      await show(page, type, block);
      await page.locator("input").first().waitFor();
      for (const field of await page.locator(".app-form-cells input, .app-comparison input").all()) {
        await field.focus();
        expect({ type, wider: await wider() }).toEqual({ type, wider: 0 });
      }
    }
  });

  browserTest("Tab indents code until Escape releases the focus", async ({ page, problems }) => {
    await openForms(page);
    await show(page, "Code", { options: { content: "" } });
    const code = await codeField(page, "Code");
    await code.click();
    await page.keyboard.press("Tab");
    await page.keyboard.type("x");
    await page.keyboard.press("Escape");
    expect(await optionOf(page, "content")).toBe("  x");
    await page.keyboard.press("Tab");
    expect(await code.evaluate((element) => element.matches(":focus"))).toBe(false);
    expect(await optionOf(page, "content")).toBe("  x");
    expect(problems).toEqual([]);
  });

  inLongRun(
    "keystrokes in code are saved together, and immediately on undo or when the field loses the focus",
    async ({ page, problems }) => {
      await openForms(page);
      await show(page, "Code", { options: { content: "" } });
      const code = await codeField(page, "Code");
      await code.click();
      const setsAfter = async (text: string, act?: "blur" | "undo") => {
        const before = (await sets(page)).length;
        const told = await code.evaluate(
          async (element, [keys, then]) => {
            const count = window.forms.sets().length;
            // No timer fires between these keys.
            for (const key of keys ?? "") {
              document.execCommand("insertText", false, key);
              await Promise.resolve();
            }
            const inBetween = window.forms.sets().length - count;
            if (then === "blur" && element instanceof HTMLElement) element.blur();
            if (then === "undo")
              element.dispatchEvent(
                new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true, composed: true }),
              );
            return { inBetween, after: window.forms.sets().length - count };
          },
          [text, act] as const,
        );
        return { ...told, calls: async () => (await sets(page)).slice(before) };
      };
      const burst = await setsAfter("abcd");
      expect(burst).toMatchObject({ inBetween: 0, after: 0 });
      await optionBecomes(page, "content", "abcd");
      expect(await burst.calls()).toEqual([{ path: ["options", "content"], value: "abcd" }]);
      expect(await setsAfter("ef", "undo")).toMatchObject({ inBetween: 0, after: 1 });
      expect(await optionOf(page, "content")).toBe("abcdef");
      expect(await setsAfter("gh", "blur")).toMatchObject({ inBetween: 0, after: 1 });
      expect(await optionOf(page, "content")).toBe("abcdefgh");
      // A change by another author does not replace text that is being typed.
      await code.click();
      await code.evaluate(async () => {
        document.execCommand("insertText", false, "i");
        await Promise.resolve();
        await window.forms.swapOptions({ content: "theirs" });
      });
      await optionBecomes(page, "content", "abcdefghi");
      expect(await code.textContent()).toBe("abcdefghi");
      expect(problems).toEqual([]);
    },
  );

  browserTest("the code editor completes functions and variables", async ({ page, problems }) => {
    await openForms(page);
    const stored = "const a = 1;\r\nreturn {{Name}} + a";
    await show(page, "Code", { options: { content: stored } });
    const code = await codeField(page, "Code");
    expect(await code.locator(".cm-parley-variable").textContent()).toBe("{{Name}}");
    expect(await code.getByText("const", { exact: true }).getAttribute("class")).not.toBe("");
    expect(await sets(page)).toEqual([]);
    await code.click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("\nsetV");
    await page.getByRole("option", { name: "setVariable" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("x, {{To");
    await page.getByRole("option", { name: "Create variable “To”" }).waitFor();
    await page.keyboard.press("Enter");
    // Line breaks stay as they were stored.
    await optionBecomes(page, "content", `${stored}\nsetVariable("x, {{To}}`);
    // Existing entries come before the entry that would create a variable from the typed letters.
    await page.keyboard.type(" {{Na");
    await page.getByRole("option", { name: "Create variable “Na”" }).waitFor();
    expect((await page.getByRole("option").allInnerTexts())[0]).toContain("Name");
    await page.keyboard.press("Enter");
    await optionBecomes(page, "content", `${stored}\nsetVariable("x, {{To}} {{Name}}`);
    await page.getByText("Syntax error in line 3.").waitFor();
    await code.locator(".cm-lintRange-error").first().waitFor();
    expect(await code.locator(".cm-lintRange-error").count()).toBe(1);
    await page.evaluate(() => window.forms.swapOptions({ content: "return 2" }));
    expect(await code.textContent()).toContain("return 2");
    expect(problems).toEqual([]);
  });

  browserTest("the rich text editor formats typed text", async ({ page, problems }) => {
    await openForms(page);
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
  });

  browserTest("every mark of a rich text is toggled by its button and its keys", async ({ page, problems }) => {
    await openForms(page);
    await show(page, "text", {});
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    const leaves = async () => {
      const tree = valueAt(await page.evaluate(() => window.forms.value()), "content", "richText");
      return Array.isArray(tree) ? valueAt(tree[0], "children") : undefined;
    };
    await text.click();
    await page.keyboard.type("some words");
    await page.keyboard.press("Shift+Home");
    for (const name of formats) {
      const button = page.getByRole("button", { name: textWords.text[name], exact: true });
      await button.click();
      expect(await leaves()).toEqual([{ text: "some words", [name]: true }]);
      expect(await button.getAttribute("aria-pressed")).toBe("true");
      await page.keyboard.press(editedMarks[name].key.replace("Mod", "ControlOrMeta").replaceAll("-", "+"));
      expect(await leaves()).toEqual([{ text: "some words" }]);
      await page.keyboard.press("ControlOrMeta+z");
      expect(await leaves()).toEqual([{ text: "some words", [name]: true }]);
      await page.keyboard.press("ControlOrMeta+z");
      expect(await leaves()).toEqual([{ text: "some words" }]);
    }
    await page.keyboard.press("End");
    await page.keyboard.type(" ~~gone~~ `a*b*c`.");
    expect(await leaves()).toEqual([
      { text: "some words " },
      { text: "gone", strikethrough: true },
      { text: " " },
      { text: "a*b*c", code: true },
      { text: "." },
    ]);
    await page.keyboard.press("ControlOrMeta+e");
    await page.keyboard.type("*b*");
    expect(await leaves()).toEqual(expect.arrayContaining([{ text: "*b*", code: true }]));
    expect(problems).toEqual([]);
  });

  browserTest("pasted text loses its scripts and styles", async ({ page, problems }) => {
    await openForms(page);
    await show(page, "text", {});
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    await text.click();
    await text.evaluate((element) => {
      const data = new DataTransfer();
      data.setData(
        "text/html",
        '<h1 style="color:red">Big</h1><p>Hi <b>{{Name}}</b> <a href="https://e.example">here</a><img src=x onerror="document.title=1"><span style="font-style: italic; font-weight:700">both</span></p><p><s>old</s> <code>npm start</code> <span style="text-decoration: underline line-through">two</span></p><ul><li>one</li></ul>',
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
          {
            type: "p",
            children: [
              { text: "old", strikethrough: true },
              { text: " " },
              { text: "npm start", code: true },
              { text: " " },
              { text: "two", underline: true, strikethrough: true },
            ],
          },
          { type: "ul", children: [{ type: "li", children: [{ type: "lic", children: [{ text: "one" }] }] }] },
        ],
      },
    });
    expect(problems).toEqual([]);
  });
});

/** Returns the editor for code once it has replaced the plain field. */
async function codeField(page: Page, name: string) {
  const field = page.locator(".app-code").getByRole("textbox", { name, exact: true });
  await field.waitFor();
  return field;
}

/** Waits until an option has a value, because text that is typed into code is reported a moment later. */
async function optionBecomes(page: Page, key: string, value: unknown): Promise<void> {
  let now: unknown;
  await waitFor(
    async () => {
      now = await optionOf(page, key);
      return now === value;
    },
    { what: () => `${key} to be ${JSON.stringify(value)}: it is ${JSON.stringify(now)}` },
  );
}

async function optionOf(page: Page, key: string): Promise<unknown> {
  const value: unknown = await page.evaluate(() => window.forms.value());
  const options: unknown = isJsonObject(value) ? value["options"] : undefined;
  return isJsonObject(options) ? options[key] : undefined;
}

async function contents(page: Page): Promise<unknown> {
  const value: unknown = await page.evaluate(() => window.forms.value());
  const items: unknown = isJsonObject(value) ? value["items"] : undefined;
  return Array.isArray(items) ? items.map((item) => item.content) : items;
}
