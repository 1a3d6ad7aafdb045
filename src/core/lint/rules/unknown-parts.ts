import type { Change, DraftDocument } from "../../editing/changes/change.ts";
import { idOf, valueAtPath } from "../../editing/changes/things.ts";
import { schemaOfBlock } from "../../flow/known-keys.ts";
import { findUnknown, type Unknown } from "../../flow/shape.ts";
import { stepsOf } from "../../flow/trail.ts";
import { valueAt } from "../../interpreter/flow.ts";
import { EventOptionsSchema } from "../../interpreter/schemas/events.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../interpreter/schemas/theme.ts";
import type { FindingIds } from "../finding-ids.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { FixedFinding, Rule } from "../rule.ts";

export const unknownKey: Rule = {
  name: "unknown_key",
  severity: "info",
  about: "An unknown key inside a block, the theme, the settings or an event. It is stored and exported, but not used.",
  advice: "Check its spelling, or leave it: it does no harm.",
  find: (linted) => ofKind("key", linted),
};

export const unknownWord: Rule = {
  name: "unknown_word",
  severity: "warning",
  about: "A field with a fixed set of values has another value. It counts as absent: the default is used.",
  advice: "Choose one of the field's values; `docs/block-catalogue.md` says where they are listed.",
  find: (linted) => ofKind("word", linted),
  fix: {
    about: "Removes the value. The default is already in use.",
    changes: (draft, findings) => findings.flatMap((finding) => withoutKey(draft, finding)),
  },
};

function* ofKind(kind: Unknown["kind"], linted: LintedFlow) {
  const parts = known.get(linted) ?? [...unknownParts(linted)];
  known.set(linted, parts);
  for (const { ids, unknown } of parts) {
    // The meaning of a list's entry without its word is unknown.
    if (unknown.kind !== kind) continue;
    yield { ...ids, path: unknown.path, message: messageOf(unknown), isFixable: !unknown.path.endsWith("]") };
  }
}

function messageOf(unknown: Unknown): string {
  return unknown.kind === "key"
    ? "Nothing reads this key."
    : `The value "${shortened(unknown.word)}" is unknown and counts as absent.`;
}

/** A text may be stored where a word belongs. */
function shortened(word: string): string {
  return word.length > 60 ? `${word.slice(0, 60)}…` : word;
}

/** Removes the key at the end of a path, if the thing that the finding was about still exists. */
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

type UnknownPart = { readonly ids: FindingIds; readonly unknown: Unknown };

/** Both rules read the same parts. */
const known = new WeakMap<LintedFlow, readonly UnknownPart[]>();

function* unknownParts({ flow, blocks, registry }: LintedFlow): Generator<UnknownPart> {
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
}
