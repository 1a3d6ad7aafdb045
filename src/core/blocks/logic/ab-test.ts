import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import { defineLogic } from "../../interpreter/program/block.ts";
import { itemsOf, wayOfItem } from "../../interpreter/program/ways.ts";
import { marked, option, titled } from "../options.ts";
import examples from "./examples.json";

const schema = Type.Object({
  items: marked(
    { title: "Paths", widget: "kept" },
    option.list("Path `a` and path `b`.", {
      path: Type.Union([Type.Literal("a"), Type.Literal("b")], {
        description: "The path of the item.",
        widget: "kept",
      }),
      outgoingEdgeId: option.leadsTo("Id of the edge for this path."),
    }),
  ),
  options: Type.Optional(
    Type.Object({
      aPercent: titled(
        "Percentage of visitors on path A",
        Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 100,
            default: 50,
            description: "Percentage of visitors who follow path `a`.",
          }),
        ),
      ),
    }),
  ),
});

export const abTest = defineLogic({
  type: "AB test",
  summary: "Divides visitors randomly between two paths. If path `a` has no edge, its visitors follow path `b`.",
  schema,
  run({ items, options }, view) {
    const edgeOf = (path: "a" | "b") => items?.find((item) => item.path === path)?.outgoingEdgeId;
    const isA = view.random.next() * 100 < (options?.aPercent ?? 50);
    const edgeId = (isA ? edgeOf("a") : undefined) ?? edgeOf("b");
    return edgeId === undefined ? { kind: "next" } : { kind: "leave", edgeId };
  },
  ways(stored) {
    const ways = itemsOf(stored).map((item) => wayOfItem(item, "on"));
    // Without an edge, path A falls back to the edge of path B. If path B has no edge, the flow continues after the
    // block.
    const edges = ways.filter(({ kind }) => kind === "edge");
    const hasB = itemsOf(stored).some(({ item }) => textAt(item, "path") === "b" && textAt(item, "outgoingEdgeId"));
    return { waits: false, ways: hasB ? edges : [...edges, { kind: "next" }] };
  },
  editor: {
    name: "A/B test",
    icon: "split",
    words: ["experiment", "random", "chance", "variant", "percent"],
    row: ["A {options.aPercent} %"],
    items: "branches",
    related: ["Condition"],
  },
  examples: examples["AB test"],
});
