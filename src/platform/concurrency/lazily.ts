/** A value that is made when it is first needed. */
export type Lazy<Thing> = {
  get(): Thing;
  /** Undefined if the value was never needed. */
  made(): Thing | undefined;
};

export function lazily<Thing extends object>(make: () => Thing): Lazy<Thing> {
  let made: Thing | undefined;
  return { get: () => (made ??= make()), made: () => made };
}
