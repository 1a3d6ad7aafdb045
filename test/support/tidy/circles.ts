import { posix } from "node:path";
import { importsOf, type Source } from "./source.ts";

/** A graph that maps each node to its targets. Targets that are not nodes are ignored. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns groups of files that import each other in a cycle, including types. */
export function importCircles(sources: readonly Source[]): string[][] {
  return circlesOf(new Map(sources.map((source) => [source.path, new Set(importedFiles(source))])));
}

/**
 * Returns groups of entries in the same folder that import each other in a cycle, for every folder. An entry is a file
 * or a folder with all its contents. An imported style sheet counts as part of its folder.
 */
export function folderCircles(sources: readonly Source[]): string[][] {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const source of sources) {
    const imported = importedFiles(source);
    for (const [folder, entry] of entriesOn(source.path)) {
      const graph = getOrMake(graphs, folder, () => new Map<string, Set<string>>());
      const others = getOrMake(graph, entry, () => new Set<string>());
      for (const path of imported) {
        const other = entryIn(folder, path);
        if (other !== undefined && other !== entry) others.add(other);
      }
    }
  }
  return [...graphs.values()].flatMap(circlesOf);
}

/** Returns each folder above a file, with the entry of that folder that contains the file. */
function entriesOn(path: string): (readonly [folder: string, entry: string])[] {
  const folder = posix.dirname(path);
  return folder === "." ? [] : [[folder, path], ...entriesOn(folder)];
}

function entryIn(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [name = ""] = path.slice(folder.length + 1).split("/");
  return `${folder}/${name}`;
}

function getOrMake<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** Returns the strongly connected components of a graph with more than one node (Tarjan's algorithm). */
function circlesOf(graph: Graph): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  const visit = (node: string): number => {
    const number = numbers.size;
    numbers.set(node, number);
    open.push(node);
    let low = number;
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? numbers.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === number) {
      const part = open.splice(open.indexOf(node));
      if (part.length > 1) circles.push(part.toSorted());
    }
    return low;
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return circles;
}

function importedFiles(source: Source): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith("."))
    .map((name) => posix.join(posix.dirname(source.path), name));
}
