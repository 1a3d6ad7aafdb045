/** Where a walk through a document is: keys and places in lists. It is written out only where something was found. */
export type Trail = (string | number)[];

/** As a path after `root`, such as `groups[2].blocks[0].options.labels.button`. */
export function pathOf(root: string, trail: Trail): string {
  let path = root;
  for (const part of trail) path += typeof part === "number" ? `[${part}]` : `.${part}`;
  return path;
}

/** The steps of a path that was written out. A key with a dot or a bracket in it is not told from several. */
export function stepsOf(path: string): Trail {
  return path.split(/[.[]/).map((step) => (/^\d+\]$/.test(step) ? Number.parseInt(step, 10) : step));
}
