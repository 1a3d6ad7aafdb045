/** What was chosen, dropped or pasted, as far as it is a flow. */
export type ReadFlow =
  | { readonly kind: "flow"; readonly flow: Readonly<Record<string, unknown>> }
  | { readonly kind: "broken"; readonly where: string }
  | { readonly kind: "other" };

/** Reads a flow from text: an exported file, or the answer of an API around it. */
export function readFlow(text: string): ReadFlow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "broken", where: placeOf(error, text) };
  }
  const flow = [value, at(value, "bot"), at(value, "typebot")].find((each) => Array.isArray(at(each, "groups")));
  return isObject(flow) ? { kind: "flow", flow } : { kind: "other" };
}

/** Where JSON breaks off, by line and column where the browser tells the position. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return message;
  const before = text.slice(0, Number(position)).split("\n");
  return `${message.replace(/ in JSON at position.*$/, "")} (${before.length}:${(before.at(-1)?.length ?? 0) + 1})`;
}

function at(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
