/** A value as people read it: the words of a text, JSON of anything else. */
export function readable(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  const words = textsIn(value);
  return words === "" ? JSON.stringify(value) : words;
}

function textsIn(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(textsIn)
      .filter((text) => text !== "")
      .join(" ");
  if (typeof value !== "object" || value === null) return "";
  const text: unknown = "text" in value ? value.text : undefined;
  const inner: unknown = "children" in value ? value.children : "richText" in value ? value.richText : undefined;
  return typeof text === "string" ? text : textsIn(inner);
}
