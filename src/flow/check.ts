import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { blocks as servedBlocks } from "../blocks/index.ts";
import { type Dialect, settingsFromDialect } from "../compatibility/dialect.ts";
import { AppError } from "../errors.ts";
import type { BlockRegistry } from "../interpreter/block.ts";
import { valueAt } from "../interpreter/flow.ts";
import { limits } from "../limits.ts";
import { type FlowParts, FlowPartsSchema, ItemSchema, type StoredBlock, type StoredGroup } from "./document.ts";
import { schemaOfBlock } from "./known-keys.ts";
import { EventOptionsSchema } from "./schemas/events.ts";
import { SettingsSchema } from "./schemas/settings.ts";
import { ThemeSchema } from "./schemas/theme.ts";
import { checkShape, type Issue } from "./shape.ts";
import { findUnstorable } from "./unstorable.ts";

/**
 * Reads the parts of a flow from what was sent as `bot` or `typebot`, under the names that are stored. Throws `request.invalid`, with
 * paths such as `bot.groups[2].blocks[0].options.labels.button`, where a known field has the wrong JSON type, an id that must be
 * unique occurs twice, or a limit is exceeded. Unknown keys, words and block types are kept, and so are dangling edges.
 */
export function readFlowParts(value: unknown, dialect: Dialect, blocks: BlockRegistry = servedBlocks): FlowParts {
  refuse(findUnstorable(value, dialect));
  if (!partsCheck.Check(value)) throw invalid(envelopeIssues(partsCheck, value, dialect));
  refuse(innerIssues(value, dialect, blocks));
  return partsOf(value, dialect);
}

const partsCheck = TypeCompiler.Compile(FlowPartsSchema);
const itemCheck = TypeCompiler.Compile(ItemSchema);

/** Issues inside of envelopes, which were found valid. */
function innerIssues(parts: FlowParts, path: string, blocks: BlockRegistry): Issue[] {
  const issues: Issue[] = [];
  checkGroups(parts.groups ?? [], { path: `${path}.groups`, blocks, issues });
  checkIds(parts.edges ?? [], `${path}.edges`, issues);
  checkIds(parts.variables ?? [], `${path}.variables`, issues);
  checkIds(parts.events ?? [], `${path}.events`, issues);
  for (const [index, event] of (parts.events ?? []).entries())
    checkShape(valueAt(event, "options"), EventOptionsSchema, `${path}.events[${index}].options`, issues);
  checkShape(parts.theme, ThemeSchema, `${path}.theme`, issues);
  checkShape(parts.settings, SettingsSchema, `${path}.settings`, issues);
  return issues;
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalid(issues);
}

function invalid(issues: readonly Issue[]): AppError {
  const [first] = issues;
  const message = `Input validation failed: ${first?.path} ${first?.message}.`;
  return new AppError("request.invalid", { data: { issues: issues.slice(0, limits.request.issues) }, message });
}

/** Only the parts that were sent: a PATCH keeps the others. */
function partsOf(parts: FlowParts, dialect: Dialect): FlowParts {
  const { version, events, groups, edges, variables, theme, settings } = parts;
  return {
    ...(version !== undefined && { version }),
    ...(events !== undefined && { events }),
    ...(groups && { groups }),
    ...(edges && { edges }),
    ...(variables && { variables }),
    ...(theme && { theme }),
    ...(settings && { settings: settingsFromDialect(dialect, settings) }),
  };
}

type GroupsCheck = { readonly path: string; readonly blocks: BlockRegistry; readonly issues: Issue[] };

function checkGroups(groups: readonly StoredGroup[], { path, blocks, issues }: GroupsCheck): void {
  if (groups.length > limits.flow.groups) {
    issues.push({ path, message: `must be at most ${limits.flow.groups} groups` });
    return;
  }
  const blockCount = groups.reduce((count, group) => count + (group.blocks?.length ?? 0), 0);
  if (blockCount > limits.flow.blocks) {
    issues.push({ path, message: `must hold at most ${limits.flow.blocks} blocks` });
    return;
  }
  checkIds(groups, path, issues);
  const blockIds = new Set<string>();
  for (const [groupIndex, group] of groups.entries()) {
    for (const [index, block] of (group.blocks ?? []).entries()) {
      const blockPath = `${path}[${groupIndex}].blocks[${index}]`;
      checkId(block.id, blockIds, blockPath, issues);
      const schema = schemaOfBlock(block.type, blocks);
      if (schema) checkBlock(block, schema, blockPath, issues);
    }
  }
}

function checkBlock(
  block: StoredBlock & { readonly items?: unknown },
  schema: TObject,
  path: string,
  issues: Issue[],
): void {
  const before = issues.length;
  checkShape(block, withoutEnvelopes(schema), path, issues);
  if (schema.properties["items"] === undefined || issues.length > before || !Array.isArray(block.items)) return;
  for (const [index, element] of block.items.entries()) {
    const itemPath = `${path}.items[${index}]`;
    if (!itemCheck.Check(element)) issues.push(...envelopeIssues(itemCheck, element, itemPath));
  }
}

const shapes = new WeakMap<TObject, TObject>();

/** A block's schema without the ids and edges of items, which `ItemSchema` checks for all blocks. */
function withoutEnvelopes(schema: TObject): TObject {
  const known = shapes.get(schema);
  if (known) return known;
  const { items, ...parts } = schema.properties;
  const shape = items
    ? Type.Object({ ...parts, items: Type.Array(Type.Omit(items["items"], ["id", "outgoingEdgeId"])) })
    : schema;
  shapes.set(schema, shape);
  return shape;
}

function checkIds(things: readonly { readonly id: string }[], path: string, issues: Issue[]): void {
  const seen = new Set<string>();
  for (const [index, thing] of things.entries()) checkId(thing.id, seen, `${path}[${index}]`, issues);
}

function checkId(id: string, seen: Set<string>, path: string, issues: Issue[]): void {
  if (seen.has(id)) issues.push({ path: `${path}.id`, message: "must not occur twice" });
  seen.add(id);
}

/** The errors of a compiled schema, with paths as callers know them. */
function envelopeIssues(check: ReturnType<typeof TypeCompiler.Compile>, value: unknown, path: string): Issue[] {
  const issues: Issue[] = [];
  for (const error of innermost(check.Errors(value))) {
    const at = path + dotted(error.path);
    // A missing key is reported twice: as missing and as a wrong type.
    if (issues.at(-1)?.path !== at) issues.push({ path: at, message: `must be ${words(error.schema)}` });
    if (issues.length >= limits.request.issues) break;
  }
  return issues;
}

/** Of a list or an object that may also be null, the errors inside it instead of "must be null or …". */
function* innermost(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const choices: unknown = error.schema["anyOf"];
    const type = Array.isArray(error.value) ? "array" : typeof error.value;
    const meant = Array.isArray(choices) ? choices.findIndex((choice: TSchema) => choice["type"] === type) : -1;
    const inside = error.errors[meant];
    if (inside && error.value !== null) yield* innermost(inside);
    else yield error;
  }
}

/** `/groups/2/blocks` as `.groups[2].blocks`. */
function dotted(pointer: string): string {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join("");
}

function words(schema: TSchema): string {
  const choices: unknown = schema["anyOf"];
  if (Array.isArray(choices)) return choices.map(words).join(" or ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  switch (schema["type"]) {
    case "array":
    case "object":
      return `an ${schema["type"]}`;
    case "null":
      return "null";
    default:
      return `a ${schema["type"]}`;
  }
}
