/** Where a walk through a document is: keys and places in lists. It is written out only where something was found. */
export type Trail = (string | number)[];

/** As a path after `root`, such as `groups[2].blocks[0].options.labels.button`. */
export function pathOf(root: string, trail: Trail): string {
  let path = root;
  for (const part of trail) path += typeof part === "number" ? `[${part}]` : `.${part}`;
  return path;
}
