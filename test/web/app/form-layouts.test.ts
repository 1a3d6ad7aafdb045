import { describe, expect, test } from "bun:test";
import { formWidgets } from "../../../src/core/interpreter/schemas/form-layout.ts";
import { cellsOf } from "../../../src/web/app/forms/layout/cells.ts";
import { schemaAt } from "../../../src/web/app/forms/values.ts";
import { browserTests } from "../../support/browser.ts";
import { full, isOurs, layouts, openForms, types } from "./forms-browser.ts";

const browserTest = browserTests();
const cells = Object.entries(layouts).flatMap(([type, layout]) => cellsOf(layout).map((cell) => ({ type, ...cell })));

describe("a form's layout", () => {
  test("names fields that the block's schema has, each once", () => {
    const unknown = cells.filter(
      ({ type, field }) => field !== undefined && !schemaAt(types.get(type)?.schema ?? {}, field.split(".")),
    );
    expect(unknown).toEqual([]);
    const named = cells.flatMap(({ type, field }) => (field === undefined ? [] : `${type}: ${field}`));
    expect(new Set(named).size).toBe(named.length);
    expect(named.length).toBeGreaterThan(20);
  });

  test("names widgets that there are", () => {
    const named = new Set(cells.flatMap(({ widget }) => widget ?? []));
    expect([...named].filter((widget) => !formWidgets.includes(widget))).toEqual([]);
  });
});

browserTest("a form with a layout writes every field that it writes without one", async ({ page, problems }) => {
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
    expect(plain.length, type).toBeGreaterThan(3);
    // A code that is not in sight is a plain field there, which can be written, too.
    expect(
      plain.filter((path) => !laid.includes(path)),
      type,
    ).toEqual([]);
  }
  expect(problems.filter(isOurs)).toEqual([]);
});
