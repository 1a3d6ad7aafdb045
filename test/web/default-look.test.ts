import { describe, expect, test } from "bun:test";
import { isJsonObject, valueAt } from "../../src/core/interpreter/flow.ts";
import { type DefaultColors, darkColors, defaultColors } from "../../src/core/interpreter/schemas/default-colors.ts";
import { lookDefaults, roundness } from "../../src/core/interpreter/schemas/default-look.ts";
import { readKnown } from "../../src/core/interpreter/schemas/schema.ts";
import { ThemeSchema } from "../../src/core/interpreter/schemas/theme.ts";
import { rgbOf } from "../../src/core/theme/colors.ts";
import { themeProperties } from "../../src/web/conversation/theme/theme.ts";
import { radiusValue } from "../../src/web/conversation/theme/theme-values.ts";
import { readText } from "../support/tidy/project.ts";

const sheets = [...new Bun.Glob("{styles,components,conversation}/**/*.css").scanSync("src/web")].map((path) =>
  readText(`src/web/${path}`),
);
const base = readText("src/web/styles/base.css");
const light = propertiesOf(":where(.typebot-container)");

describe("colours that a theme does not set", () => {
  test.each<[string, DefaultColors, Readonly<Record<string, string>>]>([
    ["version 6.1", defaultColors["6.1"], light],
    ["version 6", defaultColors["6"], { ...light, ...propertiesOf(':where([data-defaults="6"] .typebot-container)') }],
    ["dark pages", darkColors, { ...light, ...propertiesOf(':where([data-scheme="auto"] .typebot-container)') }],
  ])(
    "colours that a theme does not set are equal in the style sheet and in the table: %s",
    (_, { background, placeholder, ...boxes }, sheet) => {
      const read = (name: string) => rgbOf(resolved(`var(--parley-${name})`, sheet)) ?? numbers(name, sheet);
      const box = (ground: string, ink: string) => ({ backgroundColor: read(ground), color: read(ink) });

      expect({ background: read("bg"), placeholder: read("placeholder") }).toEqual({
        background: rgbOf(background),
        placeholder: rgbOf(placeholder),
      });
      expect({
        hostBubbles: box("host", "host-ink"),
        guestBubbles: box("guest", "guest-ink"),
        inputs: box("field", "field-ink"),
        buttons: box("accent", "accent-ink"),
      }).toMatchObject(mapped(boxes));
    },
  );
});

test("column, progress bar and field borders have the default dimensions", () => {
  expect(light["--parley-column"]).toBe(lookDefaults.maxWidth);
  expect(sheets.flatMap((sheet) => fallbacksOf("--typebot-chat-container-max-width", sheet))).toEqual([
    "var(--parley-column)",
    "var(--parley-column)",
  ]);
  expect(sheets.flatMap((sheet) => fallbacksOf("--typebot-progress-bar-height", sheet))).toEqual([
    "var(--parley-progress-bar-height)",
  ]);
  const { thickness } = lookDefaults.progressBar;
  const properties = themeProperties({ general: { progressBar: { isEnabled: true } } });
  expect(properties.get("--parley-progress-bar-height")).toBe(`${thickness}px`);
  expect(sheets.flatMap((sheet) => fallbacksOf("--typebot-input-border-width", sheet))).toEqual([
    `${lookDefaults.fieldLine}px`,
  ]);
});

test("roundness names have the pixel values that the schema describes", () => {
  const described = JSON.stringify(ThemeSchema.properties.chat);

  expect(roundness.none).toBe(0);
  expect(described).toContain(`\`medium\` is ${roundness.medium} px, \`large\` ${roundness.large} px`);
  for (const [word, pixels] of Object.entries(roundness)) expect(radiusValue(word, undefined)).toBe(`${pixels}px`);
});

describe("a field with its default value", () => {
  const { dark: _, ...look } = ThemeSchema.properties;
  const fields = fieldsOf(look).filter(([, field]) => valueAt(field, "default") !== undefined);

  test.each(fields)("a field with its default value has the same look as an unset field: %s", (path, field) => {
    const themeWith = (value?: unknown) => readKnown(ThemeSchema, nested(path, value)) ?? {};
    const bare = themeProperties(themeWith(), { version: "6.1" });
    const set = themeProperties(themeWith(valueAt(field, "default")), { version: "6.1" });
    const isInk = (name: string) => name.endsWith("-color") && !/\.(color|placeholderColor)$/.test(path);
    for (const [name, value] of set) {
      if (!name.startsWith("--typebot-")) continue;
      // The text colour is derived for every painted box. The column has no colour, and therefore no opacity.
      if (bare.get(name) === value || isInk(name) || name === "--typebot-chat-container-opacity") continue;
      const fallbacks = sheets.flatMap((sheet) => fallbacksOf(name, sheet));
      const seen = fallbacks.map((fallback) => plain(resolved(fallback, { ...Object.fromEntries(bare), ...light })));
      expect([name, ...seen]).toEqual([name, ...seen.map(() => plain(value))]);
    }
  });

  test("more than twenty fields of a theme have a default value", () => {
    expect(fields.length).toBeGreaterThan(20);
  });
});

/** Returns a theme with one field, and with the progress bar shown. */
function nested(path: string, value: unknown): unknown {
  const theme: Record<string, unknown> = { general: { progressBar: { isEnabled: true } } };
  if (value === undefined) return theme;
  const keys = path.split(".");
  let at = theme;
  for (const key of keys.slice(0, -1)) {
    const inner = isJsonObject(at[key]) ? { ...at[key] } : {};
    at[key] = inner;
    at = inner;
  }
  at[keys.at(-1) ?? ""] = value;
  return theme;
}

function fieldsOf(properties: object, path = ""): [path: string, field: object][] {
  return Object.entries(properties).flatMap(([name, field]: [string, object]) => {
    const inner = valueAt(field, "properties");
    return isJsonObject(inner) ? fieldsOf(inner, `${path}${name}.`) : [[`${path}${name}`, field]];
  });
}

/** Returns the custom properties of a rule. */
function propertiesOf(selector: string): Record<string, string> {
  const from = base.indexOf(`${selector} {`);
  expect(from).toBeGreaterThan(-1);
  const rule = base.slice(from, base.indexOf("}", from));
  return Object.fromEntries(
    [...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Returns the values that a style sheet uses if the property is not set. */
function fallbacksOf(name: string, sheet: string): string[] {
  return sheet
    .split(`var(${name},`)
    .slice(1)
    .map((rest) => {
      let depth = 1;
      let end = 0;
      for (; depth > 0; end++) depth += rest[end] === "(" ? 1 : rest[end] === ")" ? -1 : 0;
      return rest.slice(0, end - 1).trim();
    });
}

function resolved(text: string, sheet: Readonly<Record<string, string>>): string {
  const next = text.replaceAll(/var\((--parley-[\w-]+)\)/g, (whole, name: string) => sheet[name] ?? whole);
  return next === text ? text : resolved(next, sheet);
}

function numbers(name: string, sheet: Readonly<Record<string, string>>) {
  return rgbOf(`rgb(${resolved(`var(--parley-${name})`, sheet)})`);
}

function plain(value: string): string {
  return (rgbOf(value) ?? rgbOf(`rgb(${value})`))?.join(", ") ?? value;
}

function mapped(boxes: Omit<DefaultColors, "background" | "placeholder">) {
  return Object.fromEntries(
    Object.entries(boxes).map(([name, box]) => [
      name,
      { backgroundColor: rgbOf(box.backgroundColor), color: rgbOf(box.color) },
    ]),
  );
}
