import { posix } from "node:path";
import { importsOf, type Source } from "./source.ts";

/**
 * Groups of files that import each other in a circle, types included: each is a strongly connected part of the graph of imports
 * with more than one file (Tarjan's algorithm).
 */
export function importCircles(sources: readonly Source[]): string[][] {
  const graph = new Map(sources.map((source) => [source.path, [...new Set(importedFiles(source))]]));
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  const visit = (path: string): number => {
    const number = numbers.size;
    numbers.set(path, number);
    open.push(path);
    let low = number;
    for (const next of graph.get(path) ?? []) {
      if (!graph.has(next)) continue;
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? numbers.get(next) ?? low);
    }
    lowest.set(path, low);
    if (low === number) {
      const part = open.splice(open.indexOf(path));
      if (part.length > 1) circles.push(part.toSorted());
    }
    return low;
  };
  for (const path of graph.keys()) if (!numbers.has(path)) visit(path);
  return circles;
}

function importedFiles(source: Source): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith("."))
    .map((name) => posix.join(posix.dirname(source.path), name));
}
