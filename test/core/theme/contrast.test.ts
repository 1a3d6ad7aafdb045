import { describe, expect, test } from "bun:test";
import { clearTheme } from "../../../src/core/theme/clear.ts";
import { findLowContrast } from "../../../src/core/theme/contrast.ts";
import type { DrawnPairs } from "../../../src/core/theme/drawn-things.ts";

const faint = (theme: object, version: "6" | "6.1" = "6.1") => findLowContrast({ theme: { ...theme }, version });
const paths = (theme: object, version?: "6" | "6.1") => faint(theme, version).map(({ path }) => path);

describe("a theme without low contrast", () => {
  test.each([
    ["has no colours", {}],
    ["is the theme Clear, light and dark", clearTheme],
    ["has dark text on light colours", { chat: { hostBubbles: { backgroundColor: "#fff", color: "#333333" } } }],
    [
      "has only a background, so that pages choose the text colour",
      { chat: { buttons: { backgroundColor: "#1d4ed8" } } },
    ],
    ["has colours from variables", { chat: { buttons: { backgroundColor: "{{brand}}", color: "#ffffff" } } }],
    ["has texts that are not colours", { chat: { buttons: { backgroundColor: "#c2410c", color: "red;}" } } }],
    [
      "has the default colours of versions before 6.1 and one readable colour",
      {
        chat: {
          hostBubbles: { backgroundColor: "#F7F8FF", color: "#202020" },
          guestBubbles: { backgroundColor: "#FF8E21", color: "#FFFFFF" },
          inputs: { backgroundColor: "#FFFFFF", color: "#202020", placeholderColor: "#9095A0" },
          buttons: { backgroundColor: "#1d4ed8", color: "#ffffff" },
        },
      },
    ],
    [
      "has translucent bubbles over a picture",
      {
        general: { background: { type: "Image", content: "https://a.example/x.png" } },
        chat: { hostBubbles: { backgroundColor: "#ffffff", color: "#cccccc", opacity: 0.4 } },
      },
    ],
    [
      "has a faint border around a field with a visible background",
      { chat: { inputs: { backgroundColor: "#222222", color: "#ffffff", border: { color: "#f0f0f0" } } } },
    ],
    [
      "hides its progress bar",
      { general: { progressBar: { isEnabled: false, color: "#eee", backgroundColor: "#fff" } } },
    ],
  ])("a theme that %s is not reported", (_, theme) => {
    expect(faint(theme)).toEqual([]);
  });
});

describe("insufficient contrast", () => {
  test("white text on orange is reported with its contrast of 3.1:1", () => {
    expect(faint({ chat: { guestBubbles: { backgroundColor: "#ff5924", color: "#ffffff" } } })).toEqual([
      {
        path: "theme.chat.guestBubbles.color",
        message: "#ffffff on #ff5924 has a contrast of 3.1:1. Text needs 4.5:1 to be legible for everybody.",
      },
    ]);
  });

  test.each(["hostBubbles", "guestBubbles", "buttons", "inputs"])("insufficient contrast is reported in %s", (name) => {
    expect(paths({ chat: { [name]: { backgroundColor: "#777777", color: "#888888" } } })).toEqual([
      `theme.chat.${name}.color`,
    ]);
  });

  test("insufficient contrast is reported for a placeholder", () => {
    expect(paths({ chat: { inputs: { backgroundColor: "#ffffff", placeholderColor: "#9095a1" } } })).toEqual([
      "theme.chat.inputs.placeholderColor",
    ]);
  });

  test("the contrast of a page's text is measured against its container", () => {
    const background = { type: "Color", content: "#101010" };
    expect(paths({ general: { background }, chat: { container: { color: "#333333" } } })).toEqual([
      "theme.chat.container.color",
    ]);
    const container = { backgroundColor: "#ffffff", color: "#333333" };
    expect(paths({ general: { background }, chat: { container } })).toEqual([]);
  });

  test("a field border with a contrast below 3:1 is reported", () => {
    const inputs = { backgroundColor: "#ffffff", border: { color: "#dddddd" } };
    expect(faint({ chat: { inputs } })).toEqual([
      {
        path: "theme.chat.inputs.border.color",
        message: "#dddddd on #f8f8f8 has a contrast of 1.2:1. A border or a bar needs 3:1 to be legible for everybody.",
      },
    ]);
    expect(paths({ chat: { inputs: { ...inputs, border: { color: "#767676" } } } })).toEqual([]);
    expect(paths({ chat: { inputs: { ...inputs, border: { color: "#767676", opacity: 0 } } } })).toHaveLength(1);
    expect(paths({ chat: { inputs: { ...inputs, border: { color: "#767676", thickness: 0 } } } })).toHaveLength(1);
  });

  test("a chosen option's mark with insufficient contrast is reported", () => {
    expect(
      faint({ chat: { buttons: { backgroundColor: "#ffcc00" }, guestBubbles: { backgroundColor: "#1d4ed8" } } }),
    ).toEqual([
      {
        path: "theme.chat.buttons.backgroundColor",
        message:
          "#ffcc00 on #ffffff has a contrast of 1.5:1. The mark of a chosen option needs 3:1 to be legible for everybody. Pages use #1d4ed8 for it.",
      },
    ]);
    const white = { backgroundColor: "#ffffff", color: "#111111" };
    const overPicture = { background: { type: "Image", content: "https://a.example/x.png" } };
    const path = "theme.chat.buttons.backgroundColor";
    expect(paths({ general: overPicture, chat: { buttons: white, inputs: white } })).toEqual([path]);
    // Text is visible on the options, but neither their border nor their fill is visible on the page.
    const page = { background: { type: "Color", content: "#b0b0b0" } };
    const inputs = { backgroundColor: "#ffffff", color: "#111111" };
    expect(paths({ general: page, chat: { buttons: { backgroundColor: "#767676" }, inputs } })).toEqual([path]);
    expect(paths({ general: page, chat: { buttons: { backgroundColor: "#333333" }, inputs } })).toEqual([]);
  });

  test("insufficient contrast is reported for a progress bar", () => {
    const progressBar = { isEnabled: true, color: "#aaaaaa", backgroundColor: "#cccccc" };
    expect(paths({ general: { progressBar } })).toEqual(["theme.general.progressBar.color"]);
  });

  test("the contrast in a translucent box depends on the colour behind it", () => {
    const theme = (opacity: number) => ({
      general: { background: { type: "Color", content: "#000000" } },
      chat: { hostBubbles: { backgroundColor: "#ffffff", color: "#000000", opacity } },
    });
    expect(paths(theme(0.1))).toEqual(["theme.chat.hostBubbles.color"]);
    expect(paths(theme(0.9))).toEqual([]);
  });

  test("contrast is computed with the default colours of the flow's version", () => {
    const theme = { chat: { guestBubbles: { color: "#fefefe" } } };
    expect(paths(theme, "6.1")).toEqual([]);
    expect(paths(theme, "6")).toEqual(["theme.chat.guestBubbles.color"]);
  });
});

describe("the drawn colours of custom CSS", () => {
  const [white, black] = ["#ffffff", "#000000"];
  const chat = { hostBubbles: { backgroundColor: "#cccccc", color: "#bbbbbb" } };
  const customCss = ".typebot-host-bubble { color: #fff }";
  const drawn = (pairs: DrawnPairs, theme: object) =>
    findLowContrast({ theme: { ...theme }, version: "6.1" }, { light: pairs });

  test("a message that the CSS draws white on white is reported with its selector", () => {
    expect(drawn({ hostBubbles: { color: white, behind: white } }, { chat, customCss })).toEqual([
      {
        path: "theme.customCss",
        selector: ".typebot-host-bubble",
        message:
          "#ffffff on #ffffff has a contrast of 1:1. Text needs 4.5:1 to be legible for everybody. The custom CSS gives `.typebot-host-bubble` this colour.",
      },
    ]);
  });

  test("a field border requires less contrast than text", () => {
    const grey = { color: "#8a8a8a", behind: white };
    const found = drawn({ fieldEdge: grey, placeholder: grey }, { customCss });
    expect(found.map(({ selector }) => selector)).toEqual([".text-input::placeholder"]);
  });

  test("low contrast in the theme is not reported if the CSS draws other colours", () => {
    const css = "* { color: #000 }";
    expect(drawn({}, { chat, customCss: css }).map(({ path }) => path)).toEqual(["theme.chat.hostBubbles.color"]);
    expect(drawn({ hostBubbles: { color: black, behind: "#cccccc" } }, { chat, customCss: css })).toEqual([]);
    const same = { color: "#bbbbbb", behind: "#cccccc" };
    expect(drawn({ hostBubbles: same }, { chat, customCss: css })).toEqual(drawn({}, { chat }));
  });

  test("the theme's colours are checked if the theme has no custom CSS", () => {
    expect(drawn({ hostBubbles: { color: black, behind: white } }, { chat })).toHaveLength(1);
    expect(drawn({ guestBubbles: { color: white, behind: white } }, {})).toEqual([]);
  });

  test("low contrast in the dark theme is reported at the CSS that applies to it", () => {
    const dark = { chat: { hostBubbles: { color: white } } };
    const pair = { hostBubbles: { color: black, behind: black } };
    const inDark = (theme: object) =>
      findLowContrast({ theme: { ...theme }, version: "6.1" }, { dark: pair }).map(({ path }) => path);
    expect(inDark({ customCss, dark })).toEqual(["theme.customCss"]);
    expect(inDark({ customCss, dark: { ...dark, customCss } })).toEqual(["theme.dark.customCss"]);
    expect(inDark({ customCss })).toEqual([]);
  });
});

test("a theme colour that is not a string is ignored", () => {
  const theme = (color: unknown) => ({
    general: {
      background: { type: "Color", content: color },
      progressBar: { isEnabled: true, color, backgroundColor: "#ffffff" },
    },
    chat: {
      container: { color },
      buttons: { backgroundColor: color, color: "#ffffff" },
      inputs: { backgroundColor: "#ffffff", color, placeholderColor: color, border: { color } },
    },
  });
  for (const color of [5, true, {}, [], [5]]) {
    expect(paths({ ...theme(color), dark: theme(color) })).toEqual(
      paths({ ...theme(undefined), dark: theme(undefined) }),
    );
  }
});
