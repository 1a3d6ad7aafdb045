/** The result of the work, or what `late` returns or throws once this time is over. The work itself goes on, and its outcome is ignored. */
export async function within<Value>(ms: number, work: PromiseLike<Value>, late: () => Value): Promise<Value> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  try {
    return await Promise.race([work, over.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
