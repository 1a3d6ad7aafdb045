import { isJsonObject } from "../interpreter/flow.ts";

/**
 * What JSON a known key holds: a scalar's name, a list of one shape (`[shape]`), or an object of known keys. Every key may
 * be absent or null; keys that a shape does not name hold anything.
 */
export type Shape = Scalar | readonly [Shape] | { readonly [key: string]: Shape };

type Scalar = keyof typeof scalars;

/** One thing that is wrong, and where: `bot.groups[2].blocks[0].options.labels.button`. */
export type Issue = { readonly path: string; readonly message: string };

/** Adds an issue for every known key whose JSON type is wrong. Walks known keys only: what lies elsewhere costs nothing. */
export function checkShape(value: unknown, shape: Shape, path: string, issues: Issue[]): void {
  if (value === undefined || value === null) return;
  if (typeof shape === "string") {
    const scalar = scalars[shape];
    if (!scalar.fits(value)) issues.push({ path, message: `must be ${scalar.words}` });
  } else if (isList(shape)) {
    checkList(value, shape[0], path, issues);
  } else {
    checkObject(value, shape, path, issues);
  }
}

const scalars = {
  anything: { words: "anything", fits: () => true },
  flag: { words: "a boolean", fits: (value: unknown) => typeof value === "boolean" },
  number: { words: "a number", fits: (value: unknown) => typeof value === "number" },
  text: { words: "a string", fits: (value: unknown) => typeof value === "string" },
  /** A number, or a text that names a variable or reads as a number. */
  numberOrVariable: {
    words: "a number or a string",
    fits: (value: unknown) => typeof value === "number" || typeof value === "string",
  },
  textOrObject: {
    words: "a string or an object",
    fits: (value: unknown) => typeof value === "string" || isJsonObject(value),
  },
} as const;

function checkList(value: unknown, shape: Shape, path: string, issues: Issue[]): void {
  if (!Array.isArray(value)) {
    issues.push({ path, message: "must be an array" });
    return;
  }
  if (shape === "anything") return;
  for (const [index, element] of value.entries()) checkShape(element, shape, `${path}[${index}]`, issues);
}

function checkObject(value: unknown, shape: { readonly [key: string]: Shape }, path: string, issues: Issue[]): void {
  if (!isJsonObject(value)) {
    issues.push({ path, message: "must be an object" });
    return;
  }
  for (const key of Object.keys(shape)) {
    const known = shape[key];
    if (known !== undefined && Object.hasOwn(value, key)) checkShape(value[key], known, `${path}.${key}`, issues);
  }
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
