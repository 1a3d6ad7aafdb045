import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { blocks as servedBlocks } from "../blocks/index.ts";
import { isJsonObject, valueAt } from "../interpreter/flow.ts";
import type { BlockRegistry } from "../interpreter/program/block.ts";
import { EventOptionsSchema } from "../interpreter/schemas/events.ts";
import { SettingsSchema } from "../interpreter/schemas/settings.ts";
import { ThemeSchema } from "../interpreter/schemas/theme.ts";
import { wasChecked } from "./checked-flows.ts";
import { type Dialect, settingsFromDialect } from "./dialect.ts";
import { type FlowParts, FlowPartsSchema, ItemSchema, type StoredBlock, type StoredGroup } from "./document.ts";
import { schemaOfBlock } from "./known-keys.ts";
import { checkShape, type Issue, type ReportIssue, withArticle } from "./shape.ts";
import { pathOf } from "./trail.ts";
import { findUnstorable } from "./unstorable.ts";

/**
 * Reads the parts of a flow from `bot` or `typebot` in the body and converts them to their stored names. Throws
 * `request.invalid`, for example if a known field has the wrong JSON type, an id occurs twice, or a limit is exceeded.
 * Errors have paths such as `bot.groups[2].blocks[0].options.labels.button`. Unknown keys, values and block types are
 * kept, as are dangling edges.
 */
export function readFlowParts(value: unknown, dialect: Dialect, blocks: BlockRegistry = servedBlocks): FlowParts {
  if (wasChecked(value, { dialect, isRepaired: false })) return partsOf(value, dialect);
  const parts = requireParts(value, dialect);
  requireInside(parts, dialect, blocks);
  return partsOf(parts, dialect);
}

/** Returns the parts of a flow without checking the contents of their envelopes. Throws `request.invalid`. */
export function requireParts(value: unknown, path: string): FlowParts {
  // Cheap checks come first, so that a body that exceeds a size limit is rejected before its content is checked.
  refuse(sizeIssues(value, `${path}.groups`));
  refuse(findUnstorable(value, path));
  if (!checks().parts.Check(value)) throw invalid(partIssues(value, path));
  return value;
}

/**
 * Reads a flow whose parts were checked when they were stored. Only envelopes and total sizes are checked. Throws
 * `request.invalid`.
 */
export function readEnvelopes(value: unknown, path: string): FlowParts {
  refuse(sizeIssues(value, `${path}.groups`));
  if (!checks().parts.Check(value)) throw invalid(partIssues(value, path));
  return value;
}

/** Checks a theme on its own. Throws `request.invalid`. `path` is the theme's path in the request. */
export function checkTheme(theme: unknown, path: string): void {
  refuse(findUnstorable(theme, path));
  refuseAll((report) => checkShape(theme, ThemeSchema, path, report));
}

const listNames = ["events", "groups", "edges", "variables"] as const;

const compileChecks = () => ({
  parts: TypeCompiler.Compile(FlowPartsSchema),
  item: TypeCompiler.Compile(ItemSchema),
  others: TypeCompiler.Compile(Type.Omit(FlowPartsSchema, [...listNames])),
  /** The parts that are lists, each with a compiled check of its elements. */
  lists: listNames.map((name) => ({
    name,
    check: TypeCompiler.Compile<TSchema>(FlowPartsSchema.properties[name]),
    element: TypeCompiler.Compile(elementOf(FlowPartsSchema.properties[name])),
  })),
});

let compiled: ReturnType<typeof compileChecks> | undefined;

/** The checks are compiled on first use. Compilation takes 10 ms, and no flow is checked while the process starts. */
const checks = () => (compiled ??= compileChecks());

function elementOf(schema: TSchema): TSchema {
  const choices: readonly TSchema[] = schema["anyOf"] ?? [schema];
  return choices.find((choice) => choice["type"] === "array")?.["items"] ?? Type.Unknown();
}

/** Returns an issue if there are too many groups or blocks. */
function sizeIssues(value: unknown, path: string): Issue[] {
  const sent = valueAt(value, "groups");
  if (!Array.isArray(sent)) return [];
  if (sent.length > limits.flow.groups) return [{ path, message: `must be at most ${limits.flow.groups} groups` }];
  const count = sent.reduce((sum: number, group: unknown) => {
    const inside = valueAt(group, "blocks");
    return sum + (Array.isArray(inside) ? inside.length : 0);
  }, 0);
  return count > limits.flow.blocks ? [{ path, message: `must contain at most ${limits.flow.blocks} blocks` }] : [];
}

/**
 * Returns the errors in the envelopes of malformed parts. Compiled checks find the invalid elements first, because
 * explaining an error in TypeBox takes a hundred times as long as detecting an error.
 */
function partIssues(value: unknown, path: string): Issue[] {
  if (!isJsonObject(value)) return envelopeIssues(checks().parts, value, path);
  const issues = envelopeIssues(checks().others, value, path);
  for (const { name, check, element } of checks().lists) {
    const part = value[name];
    const at = `${path}.${name}`;
    if (!Array.isArray(part)) {
      if (part !== undefined) issues.push(...envelopeIssues(check, part, at));
      continue;
    }
    for (const [index, one] of part.entries()) {
      if (issues.length >= limits.request.issues) return issues;
      if (!element.Check(one)) issues.push(...envelopeIssues(element, one, `${at}[${index}]`));
    }
  }
  return issues;
}

/** Checks the contents of valid envelopes. Throws `request.invalid` if there is an error. */
export function requireInside(parts: FlowParts, path: string, blocks: BlockRegistry = servedBlocks): void {
  refuseAll((report) => {
    checkGroups(parts.groups ?? [], { path: `${path}.groups`, blocks, report });
    checkIds(parts.edges ?? [], `${path}.edges`, report);
    checkIds(parts.variables ?? [], `${path}.variables`, report);
    checkIds(parts.events ?? [], `${path}.events`, report);
    for (const [index, event] of (parts.events ?? []).entries())
      checkShape(valueAt(event, "options"), EventOptionsSchema, `${path}.events[${index}].options`, report);
    checkShape(parts.theme, ThemeSchema, `${path}.theme`, report);
    checkShape(parts.settings, SettingsSchema, `${path}.settings`, report);
  });
}

/**
 * Runs a check to its end, or until the maximum number of issues in a response is reached. Throws if there are issues.
 */
function refuseAll(check: (report: ReportIssue) => void): void {
  const issues: Issue[] = [];
  check((issue) => {
    issues.push(issue);
    if (issues.length >= limits.request.issues) throw invalid(issues);
  });
  refuse(issues);
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalid(issues);
}

function invalid(issues: readonly Issue[]): AppError {
  const [first] = issues;
  const message = `Input validation failed: ${first?.path} ${first?.message}.`;
  return new AppError("request.invalid", { data: { issues: issues.slice(0, limits.request.issues) }, message });
}

/** Returns only the parts that were sent, with their stored names. A PATCH keeps the other parts. */
export function partsOf(parts: FlowParts, dialect: Dialect): FlowParts {
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

type GroupsCheck = { readonly path: string; readonly blocks: BlockRegistry; readonly report: ReportIssue };

function checkGroups(groups: readonly StoredGroup[], { path, blocks, report }: GroupsCheck): void {
  checkIds(groups, path, report);
  const blockIds = new Set<string>();
  for (const [groupIndex, group] of groups.entries()) {
    for (const [index, block] of (group.blocks ?? []).entries()) {
      const blockPath = `${path}[${groupIndex}].blocks[${index}]`;
      checkId(block.id, blockIds, blockPath, report);
      const schema = schemaOfBlock(block.type, blocks);
      if (schema) checkBlock(block, schema, blockPath, report);
    }
  }
}

function checkBlock(
  block: StoredBlock & { readonly items?: unknown },
  schema: TObject,
  path: string,
  report: ReportIssue,
): void {
  let isWrong = false;
  checkShape(block, withoutEnvelopes(schema), path, (issue) => {
    isWrong = true;
    report(issue);
  });
  if (schema.properties["items"] === undefined || isWrong || !Array.isArray(block.items)) return;
  for (const [index, element] of block.items.entries()) {
    if (checks().item.Check(element)) continue;
    for (const issue of envelopeIssues(checks().item, element, `${path}.items[${index}]`)) report(issue);
  }
}

const shapes = new WeakMap<TObject, TObject>();

/** Returns a block's schema without the ids and edges of items, which `ItemSchema` checks for all blocks. */
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

function checkIds(things: readonly { readonly id: string }[], path: string, report: ReportIssue): void {
  const seen = new Set<string>();
  for (const [index, thing] of things.entries()) checkId(thing.id, seen, `${path}[${index}]`, report);
}

function checkId(id: string, seen: Set<string>, path: string, report: ReportIssue): void {
  if (seen.has(id)) report({ path: `${path}.id`, message: "must not occur twice" });
  seen.add(id);
}

/** Returns the errors of a compiled schema, with paths in the format of API errors. */
function envelopeIssues(check: ReturnType<typeof TypeCompiler.Compile>, value: unknown, path: string): Issue[] {
  const issues: Issue[] = [];
  for (const error of innermost(check.Errors(value))) {
    const at = path + dotted(error.path);
    // TypeBox reports a missing key twice: as missing and as a wrong type.
    if (issues.at(-1)?.path !== at) issues.push({ path: at, message: `must be ${words(error.schema)}` });
    if (issues.length >= limits.request.issues) break;
  }
  return issues;
}

/**
 * Yields the innermost errors. For a nullable list or object, these are the errors inside the value instead of "must be
 * null or …".
 */
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

/** Converts `/groups/2/blocks` to `.groups[2].blocks`. */
function dotted(pointer: string): string {
  return pathOf(
    "",
    pointer
      .split("/")
      .slice(1)
      .map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
  );
}

function words(schema: TSchema): string {
  const choices: unknown = schema["anyOf"];
  if (Array.isArray(choices)) return choices.map(words).join(" or ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  return schema["type"] === "null" ? "null" : withArticle(String(schema["type"]));
}
