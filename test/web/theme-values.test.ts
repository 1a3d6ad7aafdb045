import { describe, expect, test } from "bun:test";
import { paletteOf } from "../../src/core/theme/backgrounds.ts";
import { blend, contrast, readPaint, rgbOf } from "../../src/core/theme/colors.ts";
import { readTheme } from "../../src/core/theme/stored-theme.ts";
import { defaultsOf, fontOf, isDarkTheme, themeProperties } from "../../src/web/conversation/theme/theme.ts";
import { colorValue, familyValue, lengthValue, pixelValue } from "../../src/web/conversation/theme/theme-values.ts";

const hostile = [
  "red;} body{display:none",
  "#fff}*{color:red",
  "url(javascript:alert(1))",
  "expression(alert(1))",
  "</style><script>alert(1)</script>",
  "rgb(0,0,0);position:fixed",
  "var(--x,url(https://evil.example))",
  "calc((1px)",
  "calc(1px))((2px)",
  "1px;top:0",
  "#12",
  "\\7d body{x:y",
  "/* ",
  '"',
  "'\n}",
];

describe("values of themes", () => {
  test.each([
    "#fff",
    "#ffffff80",
    "white",
    "transparent",
    "rgba(1, 2, 3, 0.5)",
    "hsl(20deg 50% 40% / 30%)",
    "oklch(60% 0.2 20)",
    "var(--brand)",
  ])("%j is a colour", (text) => {
    expect(colorValue(` ${text} `)).toBe(text);
  });

  test.each([
    ["800px", "800px"],
    ["800", "800px"],
    ["50.5%", "50.5%"],
    ["min(90vw, 40rem)", "min(90vw, 40rem)"],
    ["calc(100% - (2 * 1rem))", "calc(100% - (2 * 1rem))"],
    ["90dvh", "90dvh"],
  ])("%j is read as the length %j", (text, length) => {
    expect(lengthValue(text)).toBe(length);
  });

  test.each(hostile)("%j is neither a colour nor a length", (text) => {
    expect({ color: colorValue(text), length: lengthValue(text) }).toEqual({ color: undefined, length: undefined });
  });

  test("pixel values are limited to the range from 0 to 1000", () => {
    expect([3, -4, 1e9, undefined].map(pixelValue)).toEqual(["3px", "0px", "1000px", undefined]);
  });

  test.each([
    ["Open Sans", '"Open Sans"'],
    ["Inter, system-ui", '"Inter", system-ui'],
    ["monospace", "monospace"],
    ["'Noto Sans JP', serif", '"Noto Sans JP", serif'],
    ['x"; } body { color: red', '"x  body  color red"'],
    ["{};", ""],
  ])("the font family %j is read as %j", (text, value) => {
    expect(familyValue(text)).toBe(value);
  });

  test.each([
    ["#abc", [170, 187, 204], 1],
    ["#aabbcc", [170, 187, 204], 1],
    ["#AABBCC00", [170, 187, 204], 0],
    ["rgb(1,2,300)", [1, 2, 255], 1],
    ["rgba(1 2 3 / 50%)", [1, 2, 3], 0.5],
    ["transparent", [0, 0, 0], 0],
  ] as const)("%j is parsed as the colour %j", (text, rgb, alpha) => {
    expect(readPaint(text)).toEqual({ rgb, alpha });
  });

  test("an invalid colour is read as no colour, and not as black", () => {
    expect([...hostile, "", "red", "#12345"].map((text) => rgbOf(text))).toEqual(
      Array.from({ length: hostile.length + 3 }, () => undefined),
    );
  });

  test("a translucent colour over another colour is read as the visible colour", () => {
    expect(blend({ rgb: [255, 255, 255], alpha: 0.5 }, [0, 0, 0])).toEqual([128, 128, 128]);
  });
});

describe("a hostile theme", () => {
  const boxOf = (text: string) => ({
    backgroundColor: text,
    color: text,
    opacity: 0.5,
    blur: 2,
    shadow: text,
    border: { thickness: 1, color: text, opacity: 0.5, roundeness: text, customRoundeness: 3 },
  });
  const themeOf = (text: string, type: string) =>
    readTheme({
      general: {
        background: { type, content: text },
        font: text,
        progressBar: {
          isEnabled: true,
          color: text,
          backgroundColor: text,
          placement: text,
          position: text,
          thickness: 4,
        },
      },
      chat: {
        roundness: text,
        container: { ...boxOf(text), maxWidth: text, maxHeight: text },
        hostBubbles: boxOf(text),
        guestBubbles: boxOf(text),
        buttons: boxOf(text),
        inputs: { ...boxOf(text), placeholderColor: text },
        buttonsInput: { layout: text },
      },
    });

  test.each(hostile)("a hostile theme stays within its declarations with %j everywhere", (text) => {
    for (const type of ["Color", "Image", "None", text]) {
      const values = [...themeProperties(themeOf(text, type), { version: "6.1" }).values()];
      const quoted = values.filter((value) => !/^url\("[^"\n\\]*"\)$/.test(value));
      const named = quoted.filter((value) => !/^("[\p{L}\p{N} _.&+-]+", )+var\(--parley-font\)$/u.test(value));
      expect(named.filter((value) => /[{};<>\\"\n]|\/\*|url|evil|expression/.test(value))).toEqual([]);
    }
  });

  test.each(["__proto__", "constructor", "toString"])(
    "a hostile theme counts as a theme without values with %j",
    (word) => {
      const border = { roundeness: word };
      const theme = readTheme({ chat: { roundness: word, hostBubbles: { shadow: word, border } } });
      expect([...themeProperties(theme)]).toEqual([]);
    },
  );

  test("a theme with null or empty objects instead of values sets no properties", () => {
    for (const value of [null, {}]) {
      const parts = { general: value, chat: value };
      const boxes = { chat: { hostBubbles: value, inputs: value, container: value, hostAvatar: value } };
      for (const theme of [value, parts, boxes]) expect([...themeProperties(readTheme(theme))]).toEqual([]);
    }
    expect(fontOf({ general: { font: "\ud800" } })?.styleSheet).toBeUndefined();
  });
});

describe("a part that a theme does not set", () => {
  test.each(["6", "6.1"] as const)("a part that a theme does not set is readable in version %s", (version) => {
    const palette = paletteOf(version);
    for (const name of ["hostBubbles", "guestBubbles", "inputs", "buttons"] as const) {
      expect(contrast(palette[name].background, palette[name].ink)).toBeGreaterThan(4.5);
    }
    expect(contrast(palette.placeholder, palette.inputs.background)).toBeGreaterThan(4.5);
    expect(defaultsOf(version)).toBe(version);
  });

  test("bots of version 6 or earlier have the theme defaults of version 6", () => {
    expect([undefined, "3", "5", "6"].map(defaultsOf)).toEqual(["6", "6", "6", "6"]);
  });
});

describe("the elements on a theme's background", () => {
  test.each(["#000000", "#ffffff", "#1b1f3b", "#777777", "#ff5924", "#ffe08a", "#2f6b4f"])(
    "the elements on a theme's background are readable and visible on %s",
    (color) => {
      const theme = { general: { background: { type: "Color", content: color } } } as const;
      const properties = themeProperties(theme, { version: "6.1" });
      const ground = rgbOf(color) ?? [0, 0, 0];
      const colorOf = (name: string) => rgbOf(properties.get(`--parley-${name}`)) ?? ground;
      for (const name of ["ink", "muted", "error"]) {
        expect(contrast(colorOf(name), ground)).toBeGreaterThanOrEqual(3.9);
      }
      expect(contrast(colorOf("focus"), ground)).toBeGreaterThanOrEqual(3);
    },
  );

  test("the default placeholder is readable on each field colour", () => {
    for (const backgroundColor of ["#000000", "#123456", "#ffffff", "#ffe08a"]) {
      const properties = themeProperties({ chat: { inputs: { backgroundColor } } });
      const [field, hint] = [rgbOf(backgroundColor), rgbOf(properties.get("--parley-placeholder"))];
      expect(field && hint && contrast(field, hint)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("a theme is dark if its column, or otherwise its background, is dark", () => {
    const theme = (content: string, backgroundColor?: string) =>
      readTheme({ general: { background: { type: "Color", content } }, chat: { container: { backgroundColor } } });
    expect(isDarkTheme(theme("#101010"))).toBe(true);
    expect(isDarkTheme(theme("#101010", "#ffffff"))).toBe(false);
    expect(isDarkTheme(theme("#ffffff", "#101010"))).toBe(true);
    expect(isDarkTheme(theme("{{color}}"), { backgroundUrl: "#101010" })).toBe(true);
  });
});
