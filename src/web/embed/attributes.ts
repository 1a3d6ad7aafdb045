/** How many milliseconds an attribute says; undefined where it says none. */
export function delayOf(text: string | null): number | undefined {
  const number = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return number >= 0 ? Math.min(number, longestDelayMs) : undefined;
}

/** Longer than any visit; more than this a timer takes for nothing. */
const longestDelayMs = 2 ** 31 - 1;

/** The object that an attribute holds as JSON; an empty one where it holds none. */
export function readObject(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** What the page set as a plain property before this script came goes to the element's own property of that name. */
export function takeEarlier(element: HTMLElement, name: string): void {
  const earlier = Object.getOwnPropertyDescriptor(element, name);
  if (!earlier || !Reflect.deleteProperty(element, name)) return;
  Reflect.set(element, name, earlier.value);
}
