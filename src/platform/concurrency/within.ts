/**
 * Returns the result of the work. While the work is running, calls `note` with the elapsed time after each interval.
 */
export async function withNotes<Value>(
  everyMs: number,
  work: PromiseLike<Value>,
  note: (passedMs: number) => void,
): Promise<Value> {
  const began = performance.now();
  const timer = setInterval(() => note(performance.now() - began), everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Returns the result of the work. If the work takes longer than `ms` milliseconds, calls `late` instead, and returns
 * its value or throws its error. The work itself continues, and its later outcome is ignored.
 */
export async function within<Value>(ms: number, work: PromiseLike<Value>, late: () => Value): Promise<Value> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  try {
    return await Promise.race([work, over.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
