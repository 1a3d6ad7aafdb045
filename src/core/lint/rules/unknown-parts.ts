import { type TSchema, Type } from "@sinclair/typebox";
import type { Change, DraftDocument } from "../../editing/changes/change.ts";
import { idOf, valueAtPath } from "../../editing/changes/things.ts";
import { EdgeSchema, GroupSchema } from "../../flow/document.ts";
import { schemaOfBlock } from "../../flow/known-keys.ts";
import { findUnknown, type Unknown } from "../../flow/shape.ts";
import { stepsOf } from "../../flow/trail.ts";
import { valueAt } from "../../interpreter/flow.ts";
import { VariableSchema } from "../../interpreter/schemas/envelope.ts";
import { EventOptionsSchema, EventSchema } from "../../interpreter/schemas/events.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../interpreter/schemas/theme.ts";
import type { FindingIds } from "../finding-ids.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { FixedFinding, Rule } from "../rule.ts";

export const unknownKey: Rule = {
  name: "unknown_key",
  severity: "info",
  about:
    "A group, a block, an edge, a variable, an event, the theme or the settings contain an unknown key. Parley stores and exports the key, but does not use it. If several groups, blocks, edges, variables or events have the same unknown key, there is one finding, at the first.",
  advice: "Check the key's spelling, or leave it: it does no harm.",
  find: (linted) => ofKind("key", linted),
};

export const unknownWord: Rule = {
  name: "unknown_word",
  severity: "warning",
  about:
    "A field with a fixed set of values has a value outside this set. Parley ignores the value and uses the default.",
  advice: "Choose one of the field's values; `docs/block-catalogue.md` says where they are listed.",
  find: (linted) => ofKind("word", linted),
  fix: {
    about: "Removes the value; the flow already uses the default.",
    changes: (draft, findings) => findings.flatMap((finding) => withoutKey(draft, finding)),
  },
};

function* ofKind(kind: Unknown["kind"], linted: LintedFlow) {
  const parts = known.get(linted) ?? [...unknownParts(linted)];
  known.set(linted, parts);
  for (const { ids, unknown, together } of parts) {
    // An element of a list is not fixable, because the meaning of the list without this element is unclear.
    if (unknown.kind !== kind) continue;
    yield { ...ids, path: unknown.path, message: messageOf(unknown, together), isFixable: !unknown.path.endsWith("]") };
  }
}

function messageOf(unknown: Unknown, together: string | undefined): string {
  return unknown.kind === "key"
    ? `This key is not used${together === undefined ? "" : `. ${together} have it; this is the first`}.`
    : `The value "${shortened(unknown.word)}" is unknown and is treated as absent.`;
}

/** Shortens a value, because a long text may be stored in place of a word. */
function shortened(word: string): string {
  return word.length > 60 ? `${word.slice(0, 60)}…` : word;
}

/**
 * Returns the change that removes the key at the end of a path. Returns no change if the key, its block or its event no
 * longer exists.
 */
function withoutKey(draft: DraftDocument, { path, blockId, eventId }: FixedFinding): Change[] {
  const steps = stepsOf(path);
  const [of] = steps;
  if (of === "theme" || of === "settings") return [{ op: "set", of, path: steps.slice(1) }];
  const thing = blockId === undefined ? steps.slice(0, 2) : steps.slice(0, 4);
  const id = blockId ?? eventId;
  if (id === undefined || idOf(valueAtPath(draft, thing)) !== id) return [];
  const inner = steps.slice(thing.length);
  if (valueAtPath(draft, steps) === undefined) return [];
  return [{ op: "set", of: blockId === undefined ? "event" : "block", id, path: inner }];
}

type UnknownPart = {
  readonly ids: FindingIds;
  readonly unknown: Unknown;
  /** A summary of the parts that have the key, if there are several: `12 edges`. */
  readonly together?: string;
};

/** The result is cached because both rules for unknown parts need it. */
const known = new WeakMap<LintedFlow, readonly UnknownPart[]>();

function* unknownParts(linted: LintedFlow): Generator<UnknownPart> {
  const { flow, blocks, registry } = linted;
  for (const { path, block, group } of blocks) {
    const { content = null, options = null, items = null } = block;
    const schema = schemaOfBlock(block.type, registry);
    if (!schema) continue;
    const ids = { groupId: group.id, blockId: block.id };
    for (const unknown of findUnknown({ content, options, items }, schema, path)) yield { ids, unknown };
  }
  for (const unknown of findUnknown(flow.theme, ThemeSchema, "theme")) yield { ids: {}, unknown };
  for (const unknown of findUnknown(flow.settings, SettingsSchema, "settings")) yield { ids: {}, unknown };
  for (const [index, event] of (flow.events ?? []).entries()) {
    const path = `events[${index}].options`;
    for (const unknown of findUnknown(valueAt(event, "options"), EventOptionsSchema, path))
      yield { ids: { eventId: event.id }, unknown };
  }
  yield* strangeEnvelopes(linted);
}

/**
 * Yields unknown keys in the envelopes of a flow's parts. Programs add the same key to all parts of a kind, so each key
 * is reported once per kind.
 */
function* strangeEnvelopes({ flow, blocks, registry }: LintedFlow): Generator<UnknownPart> {
  const served = blocks.filter(({ block }) => schemaOfBlock(block.type, registry));
  yield* together("groups", flow.groups, (group, index) => ({
    ids: { groupId: group.id },
    unknown: keysOf({ ...group, blocks: null }, GroupSchema, `groups[${index}]`),
  }));
  yield* together("blocks", served, ({ block, group, path }) => ({
    ids: { groupId: group.id, blockId: block.id },
    unknown: Object.keys(block).flatMap((key) => (blockKeys.has(key) ? [] : [`${path}.${key}`])),
  }));
  yield* together("edges", flow.edges, (edge, index) => ({
    ids: { edgeId: edge.id },
    unknown: keysOf(edge, EdgeSchema, `edges[${index}]`),
  }));
  yield* together("variables", flow.variables, (variable, index) => ({
    ids: { variableId: variable.id },
    unknown: keysOf(variable, VariableSchema, `variables[${index}]`),
  }));
  yield* together("events", flow.events ?? [], (event, index) => ({
    ids: { eventId: event.id },
    unknown: keysOf({ ...event, options: null }, EventEnvelope, `events[${index}]`),
  }));
}

/** The known keys of a block. The last three were written by earlier editors. */
const blockKeys = new Set([
  ...["id", "type", "outgoingEdgeId", "content", "options", "items", "lint"],
  ...["groupId", "webhookId", "label"],
]);

const EventEnvelope = Type.Object({ ...EventSchema.properties, options: Type.Unknown() });

/**
 * Returns the unknown keys of a part. The group in an edge's source is not reported, because earlier editors stored it.
 */
function keysOf(thing: object, schema: TSchema, path: string): string[] {
  const keys = findUnknown(thing, schema, path).flatMap((unknown) => (unknown.kind === "key" ? [unknown.path] : []));
  return keys.filter((key) => !/^edges\[\d+\]\.from\.groupId$/.test(key));
}

function* together<Thing>(
  kind: string,
  things: readonly Thing[],
  find: (thing: Thing, index: number) => { ids: FindingIds; unknown: readonly string[] },
): Generator<UnknownPart> {
  const firsts = new Map<string, { ids: FindingIds; path: string; count: number }>();
  for (const [index, thing] of things.entries()) {
    const { ids, unknown } = find(thing, index);
    for (const path of unknown) {
      const key = path.slice(path.lastIndexOf("]") + 1);
      const first = firsts.get(key);
      if (first) first.count++;
      else firsts.set(key, { ids, path, count: 1 });
    }
  }
  for (const { ids, path, count } of firsts.values())
    yield { ids, unknown: { kind: "key", path }, ...(count > 1 && { together: `${count} ${kind}` }) };
}
