/**
 * The browsers with their patterns. The first pattern that matches wins, because most browsers also include the names
 * of other browsers.
 */
const browsers = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
] as const;

const systems = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/**
 * Returns the common name of a browser from its `User-Agent`, such as `Firefox on Linux`, so that people recognize a
 * sign-in.
 */
export function browserName(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent ?? "");
  const system = nameIn(systems, userAgent ?? "");
  if (browser === undefined) return system === undefined ? "Unknown" : `A browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}

function nameIn(names: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
