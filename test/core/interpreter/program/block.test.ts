import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { idOf } from "../../../support/builder-ids.ts";

test("every input can have an edge for time-outs", () => {
  const timed = [...blocks.values()].filter((definition) => {
    const options = { timeout: { after: 60, outgoingEdgeId: "late" } };
    const { ways } = definition.ways({ id: "block", type: definition.type, options, content: options, items: [] });
    return ways.some((way) => way.kind === "edge" && way.edgeId === "late");
  });
  const others = [...blocks.values()].filter((definition) => !timed.includes(definition));

  expect(timed.map(({ type }) => type)).toContain("webhook");
  expect(others.map(({ family }) => family)).not.toContain("input");
  expect(timed.filter(({ family }) => family === "logic" || family === "integration")).toHaveLength(1);
});

test("only a Set variable block without a preset has a computed variable", () => {
  const variableId = idOf("Sum");
  const computed = [...blocks.values()].flatMap(({ type, computedVariable }) => {
    if (!computedVariable) return [];
    const of = (options?: object) => computedVariable({ id: "block", type, ...(options && { options }) });
    return [[type, of({ variableId }), of({ variableId, type: "Now" }), of({}), of()]];
  });

  expect(computed).toEqual([["Set variable", variableId, undefined, undefined, undefined]]);
});
