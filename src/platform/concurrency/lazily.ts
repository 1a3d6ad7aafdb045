/** A value that is created on first use. */
export type Lazy<Thing> = {
  get(): Thing;
  /** Returns undefined if the value was not created yet. */
  made(): Thing | undefined;
};

export function lazily<Thing extends object>(make: () => Thing): Lazy<Thing> {
  let made: Thing | undefined;
  return { get: () => (made ??= make()), made: () => made };
}
