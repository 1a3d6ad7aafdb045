/** Colours by their role, as a painter needs them: worked out by the browser from the tokens, light or dark. */
const roles = {
  surface: "--app-surface",
  text: "--app-text",
  muted: "--app-muted",
  line: "--app-line",
  strong: "--app-line-strong",
  accent: "--app-accent",
  soft: "--app-accent-soft",
  danger: "--app-danger",
  warning: "--app-warning",
  good: "--app-good",
  hover: "--app-pressed",
} as const;

export type Colors = Readonly<Record<keyof typeof roles, string>> & { readonly named: (color: string) => string };

/** Reads the colours that hold at an element now. Read again when the scheme changes. */
export function readColors(at: Element): Colors {
  const probe = document.createElement("span");
  probe.hidden = true;
  at.append(probe);
  const known = new Map<string, string>();
  const of = (token: string): string => {
    if (!probe.isConnected) at.append(probe);
    probe.style.color = `var(${token})`;
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  };
  // One that an author chose: its class says what it is.
  const named = (color: string): string => {
    const found = known.get(color);
    if (found !== undefined) return found;
    probe.className = `is-${color}`;
    const value = of("--beside-ink");
    probe.className = "";
    known.set(color, value);
    return value;
  };
  const colors = {
    surface: of(roles.surface),
    text: of(roles.text),
    muted: of(roles.muted),
    line: of(roles.line),
    strong: of(roles.strong),
    accent: of(roles.accent),
    soft: of(roles.soft),
    danger: of(roles.danger),
    warning: of(roles.warning),
    good: of(roles.good),
    hover: of(roles.hover),
  };
  return { ...colors, named };
}

/** Calls when light becomes dark, by the system or by choice. */
export function watchScheme(changed: () => void): () => void {
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-scheme"] });
  return () => {
    for (const query of queries) query.removeEventListener("change", changed);
    observer.disconnect();
  };
}
