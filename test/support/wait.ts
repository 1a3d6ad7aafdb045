const everyMs = 10;
/** The additional time that an asynchronous condition has for its last call. */
const graceMs = 60_000;
const isHanging = Symbol("isHanging");

/**
 * Waits until the condition returns a value other than undefined and false, and returns this value. Fails after the
 * time limit, or a minute later if the condition itself hangs.
 */
export async function waitFor<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  { withinMs = 20_000, what = "a condition" }: { withinMs?: number; what?: string | (() => string) } = {},
): Promise<Value> {
  const until = performance.now() + withinMs;
  const inVain = (): string => `Waited ${withinMs} ms for ${typeof what === "string" ? what : what()} in vain`;
  const hanging = Promise.withResolvers<typeof isHanging>();
  const timer = setTimeout(() => hanging.resolve(isHanging), withinMs + graceMs);
  try {
    for (;;) {
      const value = await Promise.race([condition(), hanging.promise]);
      if (value === isHanging) throw new Error(`${inVain()}: what was asked has not answered.`);
      if (value !== undefined && value !== false) return value;
      if (performance.now() > until) throw new Error(`${inVain()}.`);
      await Bun.sleep(everyMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
