import { describe, expect } from "bun:test";
import fc from "fast-check";
import { EventSchema } from "../../../src/core/interpreter/schemas/events.ts";
import { SettingsSchema } from "../../../src/core/interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../../src/core/interpreter/schemas/theme.ts";
import type { FieldSchema } from "../../../src/web/app/forms/schema.ts";
import { browserTests } from "../../support/browser.ts";
import { sizeOf } from "../../support/campaigns.ts";
import { storedFlows, storedValues } from "../../support/flows-arbitrary.ts";
import { blocksOfFlow, storedFlowFiles } from "../../support/stored-flows.ts";
import { all, full, isOurs, openForms, schemas, twins, types } from "./forms-browser.ts";
import type { ShownForm } from "./forms-page.tsx";

const browserTest = browserTests();

describe("a form that is opened and closed", () => {
  browserTest("opening forms changes nothing in any stored flow", async ({ page, problems }) => {
    await openForms(page);
    for (const { name, flow } of storedFlowFiles()) {
      const { sets: written, fields } = await page.evaluate((forms) => window.forms.openAll(forms), formsOf(flow));
      expect(written, name).toEqual([]);
      expect(fields, name).toBeGreaterThan(50);
    }
    expect(problems.filter(isOurs)).toEqual([]);
  });

  browserTest("opening a form changes no block", async ({ page, problems }) => {
    await openForms(page);
    for (const make of [full, () => ({ id: "x" }), odd]) {
      const forms = all.map(({ type, schema }) => ({ name: type, schema, value: make(schema) }));
      expect((await page.evaluate((shown) => window.forms.openAll(shown), forms)).sets).toEqual([]);
    }
    expect(problems.filter(isOurs)).toEqual([]);
  });

  browserTest("opening forms changes nothing in generated flows", async ({ page, problems }) => {
    await openForms(page);
    const flows = sizeOf({ short: 3, long: 20 });
    let fields = 0;
    for (const flow of fc.sample(generatedFlows, { numRuns: flows, seed: 16 })) {
      const opened = await page.evaluate(
        (forms) => window.forms.openAll(forms),
        formsOf(JSON.parse(JSON.stringify(flow))),
      );
      expect(opened.sets).toEqual([]);
      fields += opened.fields;
    }
    expect(fields).toBeGreaterThan(100 * flows);
    expect(problems.filter(isOurs)).toEqual([]);
  });
});

browserTest("setting and unsetting a value leaves a block unchanged", async ({ page, problems }) => {
  await openForms(page);
  let fields = 0;
  for (const { type, schema } of all.filter((one) => !twins.has(one.type))) {
    for (const value of withEmptyParts.has(type) ? [{ id: "x" }, emptied(schema)] : [{ id: "x" }]) {
      const told = await page.evaluate(
        async (form) => {
          await window.forms.show(form);
          return window.forms.setAndUnsetEach();
        },
        { name: type, schema, value },
      );
      expect(told.left, type).toEqual([]);
      fields += told.fields;
    }
  }
  expect(fields).toBeGreaterThan(400);
  expect(problems.filter(isOurs)).toEqual([]);
});

/** The types with deeply nested fields. */
const withEmptyParts = new Set(["Webhook", "text input", "settings"]);

/** Returns a value with all parts of the schema, each of them empty. */
function emptied({ properties = {} }: FieldSchema): object {
  const parts = Object.keys(properties).filter((key) => properties[key]?.properties);
  return { id: "x", ...Object.fromEntries(parts.map((key, index) => [key, index % 2 === 0 ? {} : null])) };
}

const generatedFlows = fc
  .record({
    flow: storedFlows(),
    theme: storedValues(ThemeSchema),
    settings: storedValues(SettingsSchema),
    events: fc.array(storedValues(EventSchema), { maxLength: 3 }),
  })
  .map(({ flow, ...parts }) => ({ ...flow, ...parts }));

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

/** Like `full`, but no value has the type that its schema requires. */
function odd(schema: FieldSchema): unknown {
  if (!schema.properties) return { odd: [1, null] };
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, field]) => [key, field.properties ? odd(field) : { odd: true }]),
  );
}
