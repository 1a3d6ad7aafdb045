import { isObject, type Path, valueAt } from "./values.ts";

/**
 * Tracks the objects that a form created for a value inside them, such as `options` for its first value. When the value
 * is removed, the created objects are removed as well, so that setting and then clearing a field restores the original
 * flow.
 */
export type MadeOnTheWay = {
  /**
   * Returns the path and value to set instead. When a value is removed, they also remove the objects that the form
   * created only for this value.
   */
  settle(holder: unknown, path: Path, value: unknown): readonly [Path, unknown];
};

export function rememberMade(): MadeOnTheWay {
  /** The previous values by path, each undefined or null. */
  const before = new Map<string, null | undefined>();

  const note = (holder: unknown, path: Path): void => {
    for (let depth = 1; depth <= path.length; depth++) {
      const at = path.slice(0, depth);
      const found = valueAt(holder, at);
      if ((found === undefined || found === null) && !before.has(keyOf(at))) before.set(keyOf(at), found);
    }
  };
  /** Forgets the values within a list that has changed, because its indexes now refer to other entries. */
  const forgetInside = (path: Path): void => {
    const beginning = `${keyOf(path).slice(0, -1)},`;
    for (const key of before.keys()) if (key.startsWith(beginning)) before.delete(key);
  };

  return {
    settle(holder, path, value) {
      if (Array.isArray(value)) forgetInside(path);
      const isEmptied = Array.isArray(value) && value.length === 0 && before.has(keyOf(path));
      if (value !== undefined && !isEmptied) {
        note(holder, path);
        return [path, value];
      }
      let at = path;
      while (at.length > 1) {
        const around = at.slice(0, -1);
        if (!before.has(keyOf(around)) || !hasOnly(valueAt(holder, around), at.at(-1))) break;
        at = around;
      }
      // A field that was null before is reset to null.
      return [at, before.get(keyOf(at))];
    },
  };
}

function hasOnly(holder: unknown, key: string | number | undefined): boolean {
  return isObject(holder) && Object.keys(holder).every((one) => one === key);
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
