import { blocks as servedBlocks } from "../blocks/index.ts";
import type { StoredFlow } from "../flow/document.ts";
import { blockNameOf, type Repair, repairKinds } from "../flow/repair/repair-flow.ts";
import { isWithoutAddress } from "../interpreter/program/ways.ts";
import { strangeParts } from "./import-report.ts";

export const importLines = {
  willNotWork: ["unknown_type", "missing_bot"],
  toEnter: ["credentials", "address"],
  different: ["repeated_id", "unknown_word", "unknown_key", "lost_key"],
} as const;
type Part = keyof typeof importLines;
export type LineKind = (typeof importLines)[Part][number];

/** A block that a line refers to. */
export type LinePlace = {
  readonly groupId: string;
  readonly blockId: string;
  readonly groupTitle: string;
  readonly blockName: string;
};

/** A line of the report, for all findings of one kind. */
export type ImportLine = {
  readonly kind: LineKind;
  readonly message: string;
  readonly count: number;
  /** The first distinct types, block names or keys that the line is about. */
  readonly names: string[];
  /** The first blocks that the line refers to. */
  readonly places: LinePlace[];
};

export type ImportLines = Record<Part, ImportLine[]>;

/** The maximum number of blocks and names listed in a line. */
const mostListed = 10;

type Case = { readonly kind: LineKind; readonly name: string; readonly place?: LinePlace };

/** Credentials and bots that a flow refers to but that do not exist in its workspace. */
type Lacking = Readonly<Record<"missingCredentials" | "missingBots", readonly Place[]>>;
type Place = { readonly groupId: string; readonly blockId: string };

/** Returns the import report for people, with one line per kind of finding. */
export function linesOf(
  flow: Pick<StoredFlow, "groups">,
  {
    repairs,
    lostKeys,
    ...lacking
  }: Lacking & { readonly repairs: readonly Repair[]; readonly lostKeys: readonly string[] },
): ImportLines {
  const lost = lostKeys.map((name): Case => ({ kind: "lost_key", name }));
  const cases = [...casesIn(flow), ...missing(flow, lacking), ...repaired(repairs), ...lost];
  const byKind = Map.groupBy(cases, ({ kind }) => kind);
  const linesIn = (kinds: readonly LineKind[]) =>
    kinds.flatMap((kind) => {
      const ofKind = byKind.get(kind);
      return ofKind ? [lineOf(kind, ofKind)] : [];
    });
  return {
    willNotWork: linesIn(importLines.willNotWork),
    toEnter: linesIn(importLines.toEnter),
    different: linesIn(importLines.different),
  };
}

function lineOf(kind: LineKind, cases: readonly Case[]): ImportLine {
  const names = [...new Set(cases.map(({ name }) => name))].slice(0, mostListed);
  const places = cases.flatMap(({ place }) => place ?? []).slice(0, mostListed);
  return { kind, message: importSentence({ kind, count: cases.length, names }), count: cases.length, names, places };
}

export function importSentence({ kind, count, names }: Pick<ImportLine, "kind" | "count" | "names">): string {
  const listed = names.join(", ");
  const of = (one: string, several: string) => (count === 1 ? one : several.replace("{n}", String(count)));
  switch (kind) {
    case "unknown_type":
      return `${of("1 block has a type that Parley does not support, and is", "{n} blocks have types that Parley does not support, and are")} skipped: ${listed}.`;
    case "missing_bot":
      return of(
        "1 link leads to a bot that this workspace does not have.",
        "{n} links lead to bots that this workspace does not have.",
      );
    case "credentials":
      return `${of("1 block needs", "{n} blocks need")} credentials of this workspace: ${listed}.`;
    case "address":
      return `${of("1 block has", "{n} blocks have")} no URL to call, and ${of("has", "have")} no effect until you enter one: ${listed}.`;
    case "repeated_id":
      return `${of("1 object", "{n} objects")} had the id of an earlier object, and got ${of("a new id", "new ids")}: ${listed}.`;
    case "unknown_word":
      return `${of("1 value is", "{n} values are")} unknown, and ${of("is", "are")} treated as absent: ${listed}.`;
    case "unknown_key":
      return `Parley does not use ${of("1 key, which is", "{n} keys, which are")} kept: ${listed}.`;
    case "lost_key":
      return `${of("1 key of the file is", "{n} keys of the file are")} too large to keep: ${listed}.`;
    default:
      return kind satisfies never;
  }
}

function* casesIn({ groups }: Pick<StoredFlow, "groups">): Generator<Case> {
  for (const group of groups) {
    for (const block of group.blocks ?? []) {
      const name = blockNameOf(block.type);
      const place = { groupId: group.id, blockId: block.id, groupTitle: group.title ?? "", blockName: name };
      const served = servedBlocks.get(block.type);
      if (!served) yield { kind: "unknown_type", name: block.type, place };
      else if (isWithoutAddress(block, served)) yield { kind: "address", name, place };
      for (const { kind, path } of strangeParts(block))
        yield { kind: kind === "key" ? "unknown_key" : "unknown_word", name: `${name}: ${lastOf(path)}`, place };
    }
  }
}

function lastOf(path: string): string {
  return (
    path
      .replaceAll(/\[\d+\]/g, "")
      .split(".")
      .at(-1) ?? ""
  );
}

function* missing(
  { groups }: Pick<StoredFlow, "groups">,
  { missingCredentials, missingBots }: Lacking,
): Generator<Case> {
  const places = new Map(
    groups.flatMap((group) =>
      (group.blocks ?? []).map((block) => [block.id, { group, name: blockNameOf(block.type) }] as const),
    ),
  );
  const caseOf = (kind: LineKind, { groupId, blockId }: Place): Case => {
    const { group, name = "" } = places.get(blockId) ?? {};
    return { kind, name, place: { groupId, blockId, groupTitle: group?.title ?? "", blockName: name } };
  };
  for (const one of missingBots) yield caseOf("missing_bot", one);
  for (const one of missingCredentials) yield caseOf("credentials", one);
}

function repaired(repairs: readonly Repair[]): Case[] {
  return repairKinds.flatMap((wanted) =>
    repairs
      .filter(({ kind }) => kind === wanted)
      .map(({ groupTitle, blockName }) => {
        const place = [groupTitle, blockName].filter((part) => part !== undefined).join(": ");
        return { kind: "repeated_id" as const, name: place === "" ? wanted : `${wanted} (${place})` };
      }),
  );
}
