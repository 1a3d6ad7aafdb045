/**
 * The flow document as the interpreter reads it. The document was checked when it was written. Only the envelopes are
 * typed here; the contents of a block are read by that block's own schema.
 */
export type FlowDocument = {
  readonly version?: string | null;
  readonly groups: readonly FlowGroup[];
  readonly events?: readonly FlowEvent[] | null;
  readonly edges: readonly FlowEdge[];
  readonly variables: readonly FlowVariable[];
  readonly theme?: JsonObject | null;
  readonly settings?: JsonObject | null;
};

export type JsonObject = { readonly [key: string]: unknown };

export type FlowGroup = {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly blocks?: readonly FlowBlock[] | null | undefined;
};

export type FlowBlock = {
  readonly id: string;
  readonly type: string;
  readonly outgoingEdgeId?: string | null | undefined;
  readonly content?: unknown;
  readonly options?: unknown;
  readonly items?: unknown;
};

export type FlowEdge = {
  readonly id: string;
  readonly to?:
    | { readonly groupId?: string | null | undefined; readonly blockId?: string | null | undefined }
    | null
    | undefined;
};

export type FlowEvent = {
  readonly id: string;
  readonly type?: string | null | undefined;
  readonly outgoingEdgeId?: string | null | undefined;
  readonly options?: unknown;
};

export type FlowVariable = {
  readonly id: string;
  readonly name: string;
  readonly isSessionVariable?: boolean | null;
  readonly isPrefillable?: boolean | null;
  readonly value?: unknown;
};

/**
 * The names of variables that neither a start nor the page's address may set. Starts name variables, and texts read
 * variables by their names: one variable with the mark keeps the shared name from being prefilled.
 */
export function namesNotPrefillable(
  variables: readonly Pick<FlowVariable, "name" | "isPrefillable">[],
): ReadonlySet<string> {
  return new Set(variables.flatMap(({ name, isPrefillable }) => (isPrefillable === false ? [name] : [])));
}

/** Whether a value is a JSON object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text at a path of nested objects, or undefined if there is no text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The value at a path of nested objects, or undefined. Only own keys count. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/**
 * Whether a flow begins here: at a block of this type in versions 3 to 5, at an event of this type in later versions.
 */
export function isStart({ type }: { readonly type?: string | null | undefined }): boolean {
  return type === "start";
}
