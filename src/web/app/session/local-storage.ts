/**
 * A small value that only this browser stores, such as which folders are open; null if there is none, or storage is
 * refused.
 */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is refused: the choice has to be made again each time.
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // See above: nothing depends on the stored value.
  }
}
