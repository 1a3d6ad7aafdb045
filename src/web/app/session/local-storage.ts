/**
 * Something small that only this browser keeps, such as which folders are open; null if there is nothing, or storage
 * is refused.
 */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is refused: the choice is made again each time.
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above: nothing depends on it.
  }
}
