/**
 * Deletes a bot's stored chats, list of chats and record of what the visitor has read, except in the storage named by
 * `keeps`.
 */
export function forgetStored(key: string, keeps: string): void {
  for (const where of ["session", "local"] as const)
    if (where !== keeps)
      tryStorage(where, (storage) => ["", "-earlier", "-seen"].map((end) => storage.removeItem(key + end)));
}

/**
 * Calls `use` with `sessionStorage` or `localStorage`. Returns undefined if this fails, for example because the storage
 * is disabled or full.
 */
export function tryStorage<Result>(where: "session" | "local", use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(where === "local" ? localStorage : sessionStorage);
  } catch {
    return undefined;
  }
}
