import { compare, type Difference } from "../../core/editing/changes/compare.ts";
import { diff } from "../../core/editing/changes/diff.ts";
import { isObject, type Json } from "../../web/conversation/read.ts";
import { flowIn } from "../files/flow-file.ts";
import { type BotFiles, botFile, contentOf, testNameOf } from "./bot-files.ts";

/**
 * Describes the differences between two states of a bot, in one short line for each part. The list is empty if the
 * states are equal.
 */
export function differencesOf(from: BotFiles, to: BotFiles): string[] {
  const [before, after] = [contentOf(from), contentOf(to)];
  const fields = (["name", "icon", "folder", "retentionDays", "requiredTests"] as const).flatMap((key) => {
    const [old, now] = [shown(before[key]), shown(after[key])];
    return old === now ? [] : [`${titles[key]}: ${old} becomes ${now}`];
  });
  return [...fields, ...flowDifferences(before, after), ...testDifferences(from, to)];
}

const titles = {
  name: "name",
  icon: "icon",
  folder: "folder",
  retentionDays: "retention of results (days)",
  requiredTests: "required tests",
};

function shown(value: unknown): string {
  if (value === undefined || value === null) return "none";
  return Array.isArray(value) ? value.join(" / ") : String(value);
}

/** Describes the changes to a flow, in one line for each kind of change. */
function flowDifferences(before: Json, after: Json): string[] {
  const [old, now] = [draftOf(before), draftOf(after)];
  const found = compare(old, now, diff(old, now));
  if (found.length === 0) return [];
  const meant = found.filter(({ is }) => is !== "movedOnCanvas");
  if (meant.length === 0) return ["flow: only positions on the canvas"];
  const kinds = Object.groupBy(meant, ({ is, of }) => `${is} ${of}`);
  return Object.values(kinds).flatMap((same = []) => (same[0] ? [`flow: ${sentence(same, same[0])}`] : []));
}

const mostNames = 3;

function sentence(same: readonly Difference[], { is, of }: Difference): string {
  const names = [...new Set(same.flatMap(({ name }) => (name ? [`"${name}"`] : [])))];
  const shownNames = names.slice(0, mostNames).join(", ");
  const more = names.length > mostNames ? ", …" : "";
  const verb = is === "reordered" ? "another position for" : is;
  const isOne = of === "theme" || of === "settings" || of === "editor" || of === "bot";
  const noun = isOne ? of : `${same.length} ${of}${same.length === 1 ? "" : "s"}`;
  return `${verb} ${noun}${names.length > 0 ? ` (${shownNames}${more})` : ""}`;
}

function draftOf(content: Json) {
  const editor = content["editor"];
  return { ...flowIn(content, botFile), editor: isObject(editor) ? editor : null };
}

function testDifferences(from: BotFiles, to: BotFiles): string[] {
  const all = [...new Set([...from.keys(), ...to.keys()])].toSorted();
  return all.flatMap((path) => {
    const name = testNameOf(path);
    if (name === undefined || from.get(path) === to.get(path)) return [];
    const verb = from.has(path) ? (to.has(path) ? "changed" : "removed") : "added";
    return [`test "${name}": ${verb}`];
  });
}
