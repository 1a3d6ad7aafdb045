const everyMs = 10;

/** Waits until the condition holds and returns what it gave; fails after the bound. */
export async function waitFor<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  { withinMs = 20_000, what = "a condition" }: { withinMs?: number; what?: string | (() => string) } = {},
): Promise<Value> {
  const until = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > until) {
      throw new Error(`Waited ${withinMs} ms for ${typeof what === "string" ? what : what()} in vain.`);
    }
    await Bun.sleep(everyMs);
  }
}
