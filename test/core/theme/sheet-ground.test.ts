import { expect, test } from "bun:test";
import { groundOfSheet } from "../../../src/core/theme/sheet-ground.ts";
import { themeProperties } from "../../../src/web/conversation/theme/theme.ts";

test.each([
  [".typebot-container { background: #0b141a !important }", [11, 20, 26], true],
  ["body .typebot-container, .own { background-color:#fff }", [255, 255, 255], true],
  [
    ".typebot-container { background: linear-gradient(180deg, #0f2027, #203a43 60%, #2c5364) fixed }",
    [44, 83, 100],
    false,
  ],
  [".typebot-container { background-color: #efeae2; background-image: url(dots.png) }", [239, 234, 226], false],
  [".typebot-container { background-color: #efeae2; background-image: none }", [239, 234, 226], true],
  [".typebot-container { background: rgb(1, 2, 3); background-size: cover }", [1, 2, 3], true],
  [".typebot-container { background: #000 } .typebot-container { background: #fff }", [255, 255, 255], true],
])("the page background is found in a style sheet: %s", (css, rgb, isPlain) => {
  expect<unknown>(groundOfSheet(css)).toEqual({ rgb, isPlain });
});

test.each([
  "",
  ".typebot-container { color: #000 }",
  ".typebot-container .typebot-input { background: #000 }",
  ".typebot-container-own { background: #000 }",
  ".typebot-container::before { background: #000 }",
  "@media print { .typebot-container { background: #000 } }",
  ".typebot-container { background: navy }",
  ".typebot-container { background: #000; background: navy }",
  ".typebot-container { background: rgb(0 0 0 / 50%) }",
  ".typebot-container { background: linear-gradient(#000, #fff) }",
  ".typebot-container { background: var(--own) }",
  ".typebot-container { background: url(a.png) }",
  ".typebot-container { background-size: 20px }",
])("the page background is not found in a style sheet: %s", (css) => {
  expect(groundOfSheet(css)).toBeUndefined();
});

test("the text and dock colours follow the page background in custom CSS", () => {
  const properties = (customCss: string) => themeProperties({ customCss }, { version: "6.1" });
  const dark = properties(".typebot-container { background: #0b141a }");
  expect(dark.get("--parley-ink")).toBe("#f5f3f0");
  expect(dark.get("--parley-dock")).toBe("rgb(11 20 26)");
  const gradient = properties(".typebot-container { background: linear-gradient(#000, #111) }");
  expect(gradient.get("--parley-dock")).toBe("color-mix(in srgb, rgb(17 17 17) 60%, transparent)");
  const unknown = properties(".typebot-container { background: navy }");
  expect(unknown.get("--parley-dock")).toContain("var(--typebot-container-bg-color");
  expect(properties("").get("--parley-dock")).toBeUndefined();
});

test("choice buttons that contrast with the page have a transparent border", () => {
  const edge = (customCss: string) => themeProperties({ customCss }, { version: "6.1" }).get("--parley-button-line");
  const onDark = ".typebot-container { background: #111 } ";
  expect(edge(".typebot-button { background: #00705a !important; border: none }")).toBe("transparent");
  expect(edge(`${onDark} div > .typebot-button { background: #fff }`)).toBe("transparent");
  for (const css of [
    ".typebot-button { background: #fff }",
    ".typebot-button:hover { background: #000 }",
    ".typebot-button { color: #000 }",
    `${onDark} .typebot-button { background: #222 }`,
    "@media print { .typebot-button { background: #000 } }",
  ]) {
    expect([css, edge(css)]).toEqual([css, undefined]);
  }
});
