/** A flow document. The contents of a block are parsed with the schema of the block's type. */
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
 * Returns the names of variables that neither a start request nor the page's URL may set. If several variables share a
 * name, one protected variable protects the name, because start requests and texts refer to variables by name.
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

/** Returns the text at a path of nested objects, or undefined if the value is not a text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** Returns the value at a path of nested objects, or undefined. Inherited keys are ignored. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** Whether a flow starts at this block (in versions 3 to 5) or event (in later versions). */
export function isStart({ type }: { readonly type?: string | null | undefined }): boolean {
  return type === "start";
}
