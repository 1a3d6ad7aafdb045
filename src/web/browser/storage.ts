/** Uses a storage of the browser; undefined where it is switched off, denied or full. */
export function tryStorage<Result>(where: "session" | "local", use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(where === "local" ? localStorage : sessionStorage);
  } catch {
    return undefined;
  }
}
