/**
 * Reads a small value from this browser's local storage, such as which folders are expanded. Returns null if there is
 * none or the browser blocks storage.
 */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // If the browser blocks storage, the setting is not remembered.
  }
}
