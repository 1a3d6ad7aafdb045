/** The result of the work. Until there is a result, calls `note` with the time that has passed, after each interval. */
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
 * The result of the work; once this time is over, the value or error of `late`. The work itself continues, and its
 * outcome is ignored.
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
