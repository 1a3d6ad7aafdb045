import { isRecord } from "../../api/index.ts";

/** The chosen, dropped or pasted content, as far as it is a flow. */
export type ReadFlow =
  | { readonly kind: "flow"; readonly flow: Readonly<Record<string, unknown>> }
  | { readonly kind: "broken" }
  | { readonly kind: "other" };

/** Reads a flow from text: an exported file, or the answer of an API around it. */
export function readFlow(text: string): ReadFlow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "broken" };
  }
  const flow = [value, at(value, "bot"), at(value, "typebot")].find((each) => Array.isArray(at(each, "groups")));
  return isRecord(flow) ? { kind: "flow", flow } : { kind: "other" };
}

/** The place where JSON breaks off: browsers name the problem, and not all of them the place. */
export async function findFault(text: string): Promise<{ readonly line: number; readonly column: number } | undefined> {
  const { findJsonFault } = await import("../../../../core/editing/changes/json-position.ts");
  return findJsonFault(text, { depth: mostNested });
}

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** No flow nests deeper than this. */
const mostNested = 200;
