import { expect, test } from "bun:test";
import { reportBlocks } from "../../../src/core/documents/import-report.ts";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { templates } from "../../../src/core/templates/index.ts";

test("at least six templates exist, each with a unique name, description and icon", () => {
  expect(templates.length).toBeGreaterThanOrEqual(6);
  for (const key of ["id", "name", "icon", "about"] as const) {
    expect(new Set(templates.map((template) => template[key])).size).toBe(templates.length);
  }
});

test.each(templates.map((template) => [template.name, template] as const))(
  "the template %s causes no warning, and each of its blocks is fully supported",
  (_name, template) => {
    const { id: _id, name: _, icon: _icon, about: _about, ...flow } = template;
    const parts = readFlowParts(flow, "bot");
    const findings = lintFlow(completeFlow(parts)).filter(({ severity }) => severity !== "info");

    expect(findings.map(({ rule, message, path }) => `${rule} ${path}: ${message}`)).toEqual([]);
    expect(reportBlocks(parts).blocks.filter(({ fidelity }) => fidelity !== "exact")).toEqual([]);
    const places = template.groups.map(({ graphCoordinates: { x, y } }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(places.length);
  },
);
