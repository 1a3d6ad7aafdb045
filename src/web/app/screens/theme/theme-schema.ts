import { type DefaultColors, darkColors, defaultColors } from "../../../../core/interpreter/schemas/default-colors.ts";
import { type FieldSchema, type Path, valueAt } from "../../forms/reading.ts";

export type OfTheme = { readonly theme: unknown; readonly version: unknown };

/**
 * Returns the schema of themes with the defaults of this bot's page, which depend on its version. The defaults for dark
 * mode are the values of the light theme and the dark page colours.
 */
export function schemaOfTheme(schema: FieldSchema, { theme, version }: OfTheme): FieldSchema {
  const light = defaultColors[version === "6.1" ? "6.1" : "6"];
  const { dark, ...rest } = schema.properties ?? {};
  const look = { ...schema, properties: rest };
  const ofVersion = withDefaults(look, [], (path) => colorAt(light, path));
  const onDark = withDefaults({ ...look, properties: dark?.properties ?? {} }, [], (path) => {
    const said = valueAt(theme, path);
    return isPlain(said) && said !== "" ? said : colorAt(darkColors, path);
  });
  return {
    ...ofVersion,
    properties: { ...ofVersion.properties, ...(dark && { dark: { ...onDark, title: dark.title ?? "" } }) },
  };
}

type DefaultAt = (path: Path) => unknown;

function withDefaults(schema: FieldSchema, path: Path, defaultAt: DefaultAt): FieldSchema {
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(
      ([key, field]) => [key, withDefaults(field, [...path, key], defaultAt)] as const,
    );
    return { ...schema, properties: Object.fromEntries(entries) };
  }
  const found = defaultAt(path);
  return found === undefined ? schema : { ...schema, default: found };
}

const boxes = ["hostBubbles", "guestBubbles", "inputs", "buttons"] as const;

function colorAt(colors: DefaultColors, path: Path): string | undefined {
  const key = path.at(-1);
  if (path.join(".") === "general.background.content") return colors.background;
  if (path.join(".") === "chat.inputs.placeholderColor") return colors.placeholder;
  const box = path.length === 3 && path[0] === "chat" ? boxes.find((one) => one === path[1]) : undefined;
  if (box === undefined) return undefined;
  return key === "color" || key === "backgroundColor" ? colors[box][key] : undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
