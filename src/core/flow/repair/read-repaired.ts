import { AppError } from "../../../errors.ts";
import { valueAtPath } from "../../editing/changes/things.ts";
import { isJsonObject, textAt } from "../../interpreter/flow.ts";
import { partsOf, requireInside, requireParts } from "../check.ts";
import { wasChecked } from "../checked-flows.ts";
import type { Dialect } from "../dialect.ts";
import type { FlowParts, StoredFlow } from "../document.ts";
import type { Issue } from "../shape.ts";
import { stepsOf } from "../trail.ts";
import { blockNameOf, type Editor, type Repair, repairFlow } from "./repair-flow.ts";

/** A flow that was read from a file, together with the editor's data and the repairs. */
export type RepairedFile = { readonly parts: FlowParts; readonly editor: Editor; readonly repairs: Repair[] };

/**
 * Reads a flow in the same way as `readFlowParts`, but repairs duplicate ids first. Error messages refer to groups and
 * blocks by title and explain how to continue.
 */
export function readRepairedParts(
  value: unknown,
  dialect: Dialect,
  context: { readonly editor?: Editor; readonly former?: Pick<StoredFlow, "groups" | "edges"> } = {},
): RepairedFile {
  try {
    if (wasChecked(value, { dialect, isRepaired: true })) return inDialect(repairFlow(value, context), dialect);
    const repaired = repairFlow(requireParts(value, dialect), context);
    requireInside(repaired.parts, dialect);
    return inDialect(repaired, dialect);
  } catch (error) {
    throw error instanceof AppError ? withTitles(error, value) : error;
  }
}

function inDialect({ parts, ...rest }: RepairedFile, dialect: Dialect): RepairedFile {
  return { ...rest, parts: partsOf(parts, dialect) };
}

/** Adds the titles of groups and the names of blocks to the issues of an error. */
function withTitles(error: AppError, value: unknown): AppError {
  const issues: unknown = error.data?.["issues"];
  if (!Array.isArray(issues)) return error;
  const placed = issues.filter(isIssue).map((issue) => ({ ...issue, ...placeOf(issue, value) }));
  const [first] = placed;
  if (!first) return error;
  const message = `${first.place}: ${first.part} ${first.message}. ${wayOn}`;
  const data = { issues: placed.map(({ part: _, ...issue }) => issue) };
  return new AppError(error.code, { message, data, cause: error });
}

const wayOn = "Correct it in the file, or where the file comes from, and import it again.";

function isIssue(value: unknown): value is Issue {
  return isJsonObject(value) && typeof value["path"] === "string" && typeof value["message"] === "string";
}

/** Returns a description of an issue's position, and the part of the flow at this position. */
function placeOf({ path }: Issue, value: unknown): { readonly place: string; readonly part: string } {
  const steps = stepsOf(path).slice(1);
  const [list, index, inner, place] = steps;
  if (list !== "groups" || typeof index !== "number") {
    const name = typeof index === "number" ? textAt(valueAtPath(value, [list ?? "", index]), "name") : undefined;
    return {
      place: name === undefined ? "The file" : `Variable "${name}"`,
      part: partOf(name === undefined ? steps : steps.slice(2)),
    };
  }
  const title = textAt(valueAtPath(value, [list, index]), "title");
  const group = title ? `Group "${title}"` : `Group ${index + 1}`;
  if (inner !== "blocks" || typeof place !== "number") return { place: group, part: partOf(steps.slice(2)) };
  const type = textAt(valueAtPath(value, steps.slice(0, 4)), "type");
  const name = type === undefined ? "" : ` (${blockNameOf(type)})`;
  return { place: `${group}, block ${place + 1}${name}`, part: partOf(steps.slice(4)) };
}

function partOf(steps: readonly (string | number)[]): string {
  const text = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return text.replace(/^\./, "") || "it";
}
