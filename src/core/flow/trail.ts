/**
 * The current position while a document is traversed: keys and list indexes. The trail is formatted only if an issue is
 * found.
 */
export type Trail = (string | number)[];

/** Formats a trail as a path after `root`, such as `groups[2].blocks[0].options.labels.button`. */
export function pathOf(root: string, trail: Trail): string {
  let path = root;
  for (const part of trail) path += typeof part === "number" ? `[${part}]` : `.${part}`;
  return path;
}

/** Parses a formatted path. A key that contains a dot or bracket is parsed as several steps. */
export function stepsOf(path: string): Trail {
  return path.split(/[.[]/).map((step) => (/^\d+\]$/.test(step) ? Number.parseInt(step, 10) : step));
}
