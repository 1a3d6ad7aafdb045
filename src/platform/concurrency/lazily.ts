/** Something that is made when it is first asked for. */
export type Lazy<Thing> = {
  get(): Thing;
  /** Undefined where nobody has asked for it. */
  made(): Thing | undefined;
};

export function lazily<Thing extends object>(make: () => Thing): Lazy<Thing> {
  let made: Thing | undefined;
  return { get: () => (made ??= make()), made: () => made };
}
