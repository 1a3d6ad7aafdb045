/**
 * Returns the milliseconds in an attribute, limited to the longest delay of a timer. Undefined if the attribute
 * contains no number, or a negative number.
 */
export function delayOf(text: string | null): number | undefined {
  const number = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return number >= 0 ? Math.min(number, maxDelayMs) : undefined;
}

/** The longest delay that a timer supports. Browsers treat a longer delay as 0. */
const maxDelayMs = 2 ** 31 - 1;

/** Returns the JSON object in an attribute, or an empty object if it contains none. */
export function readObject(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Hands a property to the element's own setter if the page set it before the element was defined. */
export function upgradeProperty(element: HTMLElement, name: string): void {
  const earlier = Object.getOwnPropertyDescriptor(element, name);
  if (!earlier || !Reflect.deleteProperty(element, name)) return;
  Reflect.set(element, name, earlier.value);
}

/** Returns the values in the query string of the page. */
export function queryOfPage(): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(location.search));
}
