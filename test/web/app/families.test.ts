import { expect, test } from "bun:test";
import { contrast, rgbOf } from "../../../src/core/theme/colors.ts";
import { listBlockTypes } from "../../../src/management/block-types/block-types.ts";
import { paint } from "../../../src/web/app/canvas/painting/painter.ts";

const tokens = await Bun.file(`${import.meta.dir}/../../../src/web/app/ui/tokens.css`).text();
const icons = await Bun.file(`${import.meta.dir}/../../../src/web/app/ui/icon.css`).text();
const families = ["says", "asks", "decides", "connects", "thinks", "events"] as const;

/** Returns a design token's colours in the light and in the dark scheme. */
function colorsOf(name: string): readonly string[] {
  const [, light = "", dark = ""] = new RegExp(`--app-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
  return [light, dark];
}

const ratio = (one: string, other: string) => contrast(rgbOf(one) ?? [0, 0, 0], rgbOf(other) ?? [0, 0, 0]);

test("the colours of a block family have sufficient contrast", () => {
  for (const family of families) {
    expect(icons).toContain(`.is-${family} {`);
    for (const scheme of [0, 1]) {
      const [ink = "", soft = "", solid = ""] = ["ink", "soft", "solid"].map(
        (part) => colorsOf(`${family}-${part}`)[scheme] ?? "",
      );
      expect(ratio(ink, soft), `${family}'s ink`).toBeGreaterThanOrEqual(5.7);
      for (const ground of ["bg", "surface", "raised"])
        expect(ratio(solid, colorsOf(ground)[scheme] ?? ""), `${family} on ${ground}`).toBeGreaterThanOrEqual(3.1);
    }
  }
});

test("every block type has a unique icon", () => {
  const types = listBlockTypes();
  const byIcon = Map.groupBy(types, ({ editor }) => editor.icon);
  expect(
    [...byIcon].flatMap(([icon, list]) => (list.length > 1 ? [`${icon}: ${list.map(({ type }) => type)}`] : [])),
  ).toEqual([]);
  const familyOf = new Map<string, string>(types.map(({ type, editor }) => [type, editor.family]));
  expect(
    ["text", "rating input", "Condition", "Webhook", "openai", "dify-ai", "chat-node", "start"].map((type) =>
      familyOf.get(type),
    ),
  ).toEqual(["says", "asks", "decides", "connects", "thinks", "thinks", "thinks", "events"]);
});

/** Creates a canvas context that records shapes with their colours. */
function recorder() {
  const drawn: { readonly fill: string; readonly width: number }[] = [];
  const strokes: string[] = [];
  const context = {
    ...{ fillStyle: "", strokeStyle: "", lineWidth: 0, font: "", textBaseline: "", textAlign: "" },
    ...{ beginPath() {}, roundRect() {}, fill() {}, setLineDash() {}, fillText() {} },
    stroke: () => void strokes.push(context.strokeStyle),
    fillRect: (_x: number, _y: number, width: number) => void drawn.push({ fill: context.fillStyle, width }),
  };
  return { context, drawn, strokes };
}

test("a card keeps a visible border when zoomed out", () => {
  const { context, drawn, strokes } = recorder();
  const roles = ["surface", "text", "muted", "line", "strong", "accent", "soft", "danger", "warning", "good"] as const;
  const all = [...roles, "veil", "bar", ...families] as const;
  const rows = (["says", "thinks"] as const).map((family, index) => ({
    ...{ kind: "block" as const, blockId: family, y: 40 + index * 32, height: 32, lines: 1 as const },
    ...{ text: "Hello there", family },
  }));
  const card = {
    ...{ id: "a", kind: "group" as const, title: "A", rows, ports: [] },
    box: { x: 0, y: 0, width: 272, height: 112 },
  };
  const colors = Object.fromEntries(all.map((role) => [role, role]));
  Reflect.apply(paint, undefined, [
    context,
    { cards: [card], edges: [], zoom: 0.09, colors, font: "x", lookOf: () => ({}), lineOf: () => undefined },
  ]);

  expect(strokes).toContain("strong");
  for (const family of ["says", "thinks"]) {
    const [mark] = drawn.filter(({ fill }) => fill === family);
    expect((mark?.width ?? 0) * 0.09).toBeCloseTo(4);
  }
});
