import { describe, expect, test } from "bun:test";
import { formWidgets } from "../../../src/core/interpreter/schemas/form-layout.ts";
import { cellsOf } from "../../../src/web/app/forms/layout/cells.ts";
import { schemaAt } from "../../../src/web/app/forms/values.ts";
import { browserTests } from "../../support/browser.ts";
import { full, isOurs, layouts, openForms, sets, show, swap, types } from "./forms-browser.ts";

const browserTest = browserTests();
const cells = Object.entries(layouts).flatMap(([type, layout]) => cellsOf(layout).map((cell) => ({ type, ...cell })));

describe("a form's layout", () => {
  test("a form's layout contains only fields of the block's schema", () => {
    const unknown = cells.filter(
      ({ type, field }) => field !== undefined && !schemaAt(types.get(type)?.schema ?? {}, field.split(".")),
    );
    expect(unknown).toEqual([]);
    const named = cells.flatMap(({ type, field }) => (field === undefined ? [] : `${type}: ${field}`));
    expect(new Set(named).size).toBe(named.length);
    expect(named.length).toBeGreaterThan(20);
  });

  test("a form's layout contains only existing widgets", () => {
    const named = new Set(cells.flatMap(({ widget }) => widget ?? []));
    expect([...named].filter((widget) => !formWidgets.includes(widget))).toEqual([]);
  });
});

browserTest(
  "a form with a layout writes every field that a form without a layout writes",
  async ({ page, problems }) => {
    await openForms(page);
    for (const type of Object.keys(layouts)) {
      const schema = types.get(type)?.schema ?? {};
      const written: (readonly string[])[] = [];
      for (const layout of [layouts, {}]) {
        await page.evaluate((all) => window.forms.lay(all), layout);
        const told = await page.evaluate(
          async (form) => {
            await window.forms.show(form);
            return window.forms.writeEach();
          },
          { name: type, schema, value: full(schema) },
        );
        written.push([...new Set(told.flatMap(({ changed }) => changed))].sort());
      }
      const [laid = [], plain = []] = written;
      expect(plain.length, type).toBeGreaterThan(1);
      // Outside the visible area, code is rendered as a plain field, which can also be edited.
      expect(
        plain.filter((path) => !laid.includes(path)),
        type,
      ).toEqual([]);
    }
    expect(problems.filter(isOurs)).toEqual([]);
  },
);

browserTest("a switch that hides the adjacent field keeps the focus", async ({ page, problems }) => {
  await openForms(page);
  await show(page, "text input", {});
  const country = page.getByRole("switch", { name: "Country", exact: true });
  const lines = page.getByText("Several lines", { exact: true });
  await country.focus();
  await page.keyboard.press("Space");
  await lines.waitFor({ state: "detached" });
  expect(await country.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.press("Space");
  await lines.waitFor();
  expect(await country.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(problems.filter(isOurs)).toEqual([]);
});

browserTest("a branch stays selected and editable if others insert a branch before it", async ({ page, problems }) => {
  await openForms(page);
  const [first, second, other] = ["first", "second", "other"].map((id) => {
    const comparisons = [{ id: "c", comparisonOperator: "Equal to", value: id }];
    return { id, content: { comparisons } };
  });
  await show(page, "Condition", { items: [first, second] });
  await page.getByRole("tab", { name: "Branch 2" }).click();
  await swap(page, "Condition", { items: [second] });
  const field = page.getByRole("textbox", { name: "Value 1" });
  await field.focus();
  expect(await page.getByRole("tab").count()).toBe(0);
  await swap(page, "Condition", { items: [other, first, second] });
  expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Branch 3");
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  expect(await page.evaluate(() => window.forms.value())).toMatchObject({
    items: [other, first, { id: "second", content: { comparisons: [{ value: "second!" }] } }],
  });
  await page.getByRole("button", { name: "Move Branch 3 up" }).click();
  expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Branch 2");
  await page.getByRole("button", { name: "Remove Branch 2" }).click();
  expect(await field.inputValue()).toBe("first");
  await page.getByRole("button", { name: "Add a branch" }).click();
  expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Branch 3");
  expect(problems.filter(isOurs)).toEqual([]);
});

browserTest("a curl command pasted as an address fills the request", async ({ page, problems }) => {
  await openForms(page);
  await show(page, "Webhook", { options: { timeout: 5, webhook: { id: "kept", method: "GET", body: "old" } } });
  const paste = (text: string) =>
    page.getByLabel("Address", { exact: true }).evaluate((field, pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
  await paste("curl -X PUT 'https://a.example/b?c=1' -H 'X-Key: 2' --data-raw '{}'");
  await page.getByRole("tab", { name: "Query 1" }).waitFor();
  expect(await sets(page)).toHaveLength(1);
  expect(await page.evaluate(() => window.forms.value())).toMatchObject({
    options: {
      timeout: 5,
      isCustomBody: true,
      webhook: {
        ...{ id: "kept", method: "PUT", url: "https://a.example/b", body: "{}" },
        headers: [{ key: "X-Key", value: "2" }, { key: "Content-Type" }],
        queryParams: [{ key: "c", value: "1" }],
      },
    },
  });
  await paste("curl -X POST");
  await page.getByText("This command has no address.").waitFor();
  await paste("curl -F a=@b.png https://a.example");
  await page.getByText("This command sends a file").waitFor();
  expect(await sets(page)).toHaveLength(1);

  // Another author writes before the command is read.
  await page.getByLabel("Address", { exact: true }).evaluate((field) => {
    const data = new DataTransfer();
    data.setData("text/plain", "curl https://c.example");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    return window.forms.swapOptions({ timeout: 9, webhook: { id: "kept" } });
  });
  expect(await page.evaluate(() => window.forms.value())).toMatchObject({
    options: { timeout: 9, webhook: { id: "kept", url: "https://c.example" } },
  });
  expect(problems.filter(isOurs)).toEqual([]);
});
