import { expect, test } from "bun:test";
import { askQuestions } from "../../src/commands/bench/flow.ts";

test("the flow of a benchmark asks at most five questions", () => {
  const { name, groups, edges } = askQuestions({ questions: 7 });
  expect(name).toBe("5 questions and 0 more groups");
  expect(edges.map(({ to }) => to.groupId)).toEqual(groups.map(({ id }) => id));
  expect(askQuestions({ questions: 2 }).groups.map(({ id }) => id)).toEqual(["gr0", "gr1", "gr2"]);
});
