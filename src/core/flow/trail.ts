/** The place of a walk through a document: keys and positions in lists. It is printed only when a problem was found. */
export type Trail = (string | number)[];

/** As a path after `root`, such as `groups[2].blocks[0].options.labels.button`. */
export function pathOf(root: string, trail: Trail): string {
  let path = root;
  for (const part of trail) path += typeof part === "number" ? `[${part}]` : `.${part}`;
  return path;
}

/** The steps of a printed path. A key with a dot or a bracket in it is read as several steps. */
export function stepsOf(path: string): Trail {
  return path.split(/[.[]/).map((step) => (/^\d+\]$/.test(step) ? Number.parseInt(step, 10) : step));
}
