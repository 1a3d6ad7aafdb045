import { namesNotPrefillable, textAt } from "../interpreter/flow.ts";
import type { Way } from "../interpreter/program/ways.ts";
import type { LintedBlock } from "./facts.ts";
import type { LintedFlow } from "./linted-flow.ts";
import type { BlockReferences } from "./references.ts";
import { scriptWrites } from "./script-writes.ts";
import { eventWrites } from "./variables.ts";

/**
 * How a visitor provides a value: `typed` in a reply, `client` in a report of the visitor's browser, or `prefilled` by
 * a start request or the page's URL.
 */
export type VisitorWay = {
  readonly kind: "typed" | "client" | "prefilled";
  /**
   * The variables through which the value is passed, from the variable that the visitor sets to the variable that is
   * read.
   */
  readonly names: readonly [string, ...string[]];
  /** The block that writes the first variable. */
  readonly node?: number;
};

/** A variable at the time when the chat reaches a block, and the variables through which its value is passed on. */
type Place = { readonly node: number; readonly names: VisitorWay["names"] };

/** A block's write to a variable. `from` contains the variables from which the value is computed. */
type Write = {
  readonly kind: "typed" | "client" | "made";
  readonly from: readonly string[];
  /** Whether the variable is always written if the chat follows this continuation. */
  readonly isSure: boolean;
};

/** A way in which a block is reached: from the block `from`, or through an event that starts while `from` waits. */
type Entrance = { readonly from: number; readonly way: Way | "event" };

/** The maximum number of states to search. Typical flows have a few hundred states. */
const mostPlaces = 50_000;

/**
 * Returns a function that finds how visitors can set a variable before the chat reaches a block. Paths with the fewest
 * variables come first. The search stops at a limit that all calls share.
 */
export function createVisitorWays(linted: LintedFlow): (node: number, name: string) => VisitorWay[] {
  const { flow, graph } = linted;
  const entrancesOf = entrancesIn(linted);
  const writesOf = writesIn(linted);
  const fixed = namesNotPrefillable(flow.variables);
  const prefillable = new Set(flow.variables.flatMap(({ name }) => (fixed.has(name) ? [] : [name])));
  let placesLeft = mostPlaces;
  return (node, name) => {
    const found: VisitorWay[] = [];
    const seen = new Set<string>();
    let farther: Place[] = [{ node, names: [name] }];
    while (farther.length > 0) {
      const open = farther;
      farther = [];
      for (let place = open.pop(); place && placesLeft > 0; place = open.pop()) {
        const { node: at, names } = place;
        const key = `${at} ${names[0]}`;
        if (seen.has(key)) continue;
        seen.add(key);
        placesLeft--;
        if (at === graph.start && prefillable.has(names[0])) found.push({ kind: "prefilled", names });
        for (const { from, way } of entrancesOf(at)) {
          const writes = writesOf(from, way, names[0]);
          for (const write of writes) {
            if (write.kind !== "made") found.push({ kind: write.kind, names, node: from });
            for (const one of write.from) {
              if (one === names[0]) open.push({ node: from, names });
              else farther.push({ node: from, names: [one, ...names] });
            }
          }
          if (!writes.some(({ isSure }) => isSure)) open.push({ node: from, names });
        }
      }
    }
    return found;
  };
}

function entrancesIn({ graph, blocks }: LintedFlow): (node: number) => readonly Entrance[] {
  const entrances: Entrance[][] = blocks.map(() => []);
  for (const { node } of blocks)
    for (const { way, to } of graph.steps[node] ?? [])
      for (const next of to) entrances[next]?.push({ from: node, way });
  const eventStarts = new Set(graph.eventStarts);
  // An event may start at any block where a chat waits.
  const waiting = blocks.filter(({ node }) => graph.reachable.has(node) && graph.ways[node]?.waits);
  const intoEvents = waiting.map(({ node }): Entrance => ({ from: node, way: "event" }));
  return (node) => [...(entrances[node] ?? []), ...(eventStarts.has(node) ? intoEvents : [])];
}

type NamedWrite = Write & { readonly name: string | undefined };

/**
 * Returns a function that finds a block's writes to a variable, if the chat continues from the block in the given way.
 */
function writesIn(linted: LintedFlow): (node: number, way: Entrance["way"], name: string) => readonly Write[] {
  const { flow, blocks } = linted;
  const nameOf = new Map(flow.variables.map(({ id, name }) => [id, name]));
  const contents = [...eventWrites(flow)].filter(({ field }) => field === "contentVariableId");
  const events = new Map((flow.events ?? []).map(({ id, type }) => [id, type]));
  const known = new Map<number, { readonly own: readonly NamedWrite[]; readonly ofEvents: readonly NamedWrite[] }>();
  const writesOf = (node: number) => {
    const found = known.get(node);
    if (found) return found;
    const block = blocks[node];
    const own = block ? ownWrites(linted, block, nameOf) : [];
    const { offers } = block ? answersOf(linted, block, nameOf) : {};
    const isInput = block && linted.registry.get(block.block.type)?.family === "input";
    // A rejected reply may contain any text.
    const ofEvents = !isInput
      ? []
      : contents.map(
          ({ id, eventId }): NamedWrite => ({
            name: nameOf.get(id),
            ...(offers && events.get(eventId) === "reply" ? made(offers) : typed),
            isSure: false,
          }),
        );
    const writes = { own, ofEvents };
    known.set(node, writes);
    return writes;
  };
  return (node, way, name) => {
    if (way !== "event" && "at" in way && (way.at === "options.timeout" || way.at === "options.failure")) return [];
    const { own, ofEvents } = writesOf(node);
    const writes = way === "event" ? ofEvents : [...own, ...ofEvents];
    return writes.filter((write) => write.name === undefined || write.name === name);
  };
}

const typed = { kind: "typed", from: [] } as const;
const client = { kind: "client", from: [] } as const;
const made = (from: readonly string[]) => ({ kind: "made", from }) as const;

type Names = ReadonlyMap<string, string>;

function ownWrites(linted: LintedFlow, lintedBlock: LintedBlock, nameOf: Names): NamedWrite[] {
  const { registry, references, graph } = linted;
  const { block, node } = lintedBlock;
  const definition = registry.get(block.type);
  const said = references[node];
  if (!definition || !said) return [];
  const script = definition.serverScript?.(block);
  if (script !== undefined)
    return scriptWrites(script).map(({ name, from, isSure }) => ({ name, ...made(from), isSure }));
  const { kind, from, keepsOld } = valuesOf();
  const main = nameOf.get(textAt(block, "options", "variableId") ?? "");
  const old = keepsOld && main !== undefined ? [main] : [];
  return said.writes.flatMap(({ id }) => {
    const name = nameOf.get(id);
    return name === undefined ? [] : [{ name, kind, from: [...from, ...old], isSure: true }];
  });

  function valuesOf(): Pick<Write, "kind" | "from"> & { readonly keepsOld?: boolean } {
    if (definition?.family === "input") {
      const { offers } = answersOf(linted, lintedBlock, nameOf);
      return offers ? made(offers) : typed;
    }
    if (graph.ways[node]?.waits) return client;
    const value = definition?.madeValue?.(block);
    if (!value) return made([]);
    return { ...made(namesAt(lintedBlock, said, value.from, nameOf)), keepsOld: value.keepsOld ?? false };
  }
}

/**
 * Returns `offers`: the variables from which an input's answers come. `offers` is undefined if visitors type the
 * answer.
 */
function answersOf({ registry, references }: LintedFlow, linted: LintedBlock, nameOf: Names) {
  const places = registry.get(linted.block.type)?.input?.offers?.(linted.block);
  return { offers: places && namesAt(linted, references[linted.node], places, nameOf) };
}

/** Returns the names of the variables that a block refers to at the given paths, outside of conditions. */
function namesAt(
  { path: root }: LintedBlock,
  said: BlockReferences | undefined,
  places: RegExp,
  nameOf: Names,
): string[] {
  const isMeant = ({ path, in: how }: { readonly path: string; readonly in: string }) =>
    how !== "condition" && places.test(path.slice(root.length + 1));
  const named = (said?.mentions ?? []).filter(isMeant).map(({ name }) => name);
  const read = (said?.reads ?? []).filter(isMeant).flatMap(({ id }) => nameOf.get(id) ?? []);
  return [...new Set([...named, ...read])];
}
