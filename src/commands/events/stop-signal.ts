/** Aborted by Ctrl-C, which also ends a pause. */
export function stopSignal() {
  const controller = new AbortController();
  let endPause = () => {};
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      controller.abort();
      endPause();
    });
  }
  return {
    signal: controller.signal,
    endPause: () => endPause(),
    pause: async (ms: number): Promise<void> => {
      if (controller.signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      endPause = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
