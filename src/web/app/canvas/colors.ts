/** The colours for painting, by role. The browser computes them from the design tokens, for light or dark mode. */
const roles = {
  surface: "--app-raised",
  text: "--app-text",
  muted: "--app-muted",
  line: "--app-line",
  strong: "--app-line-strong",
  accent: "--app-accent",
  soft: "--app-accent-soft",
  danger: "--app-danger",
  warning: "--app-warning",
  good: "--app-good",
  /** The fill of a frame without a colour. */
  veil: "--app-hover",
  /** The bars that replace texts that are too small to read. */
  bar: "--app-line",
  /** The colours of the block families in the zoomed-out view. */
  says: "--app-says-solid",
  asks: "--app-asks-solid",
  decides: "--app-decides-solid",
  connects: "--app-connects-solid",
  thinks: "--app-thinks-solid",
  events: "--app-events-solid",
} as const;

type Role = keyof typeof roles;

const roleNames = Object.keys(roles).filter((name): name is Role => Object.hasOwn(roles, name));

/** With forced colours, only the system colours exist. Shapes show the same differences as colours. */
const forced: Readonly<Record<Role, string>> = {
  surface: "Canvas",
  text: "CanvasText",
  muted: "CanvasText",
  line: "CanvasText",
  strong: "CanvasText",
  accent: "Highlight",
  soft: "CanvasText",
  danger: "CanvasText",
  warning: "CanvasText",
  good: "CanvasText",
  veil: "Canvas",
  bar: "CanvasText",
  says: "CanvasText",
  asks: "CanvasText",
  decides: "CanvasText",
  connects: "CanvasText",
  thinks: "CanvasText",
  events: "CanvasText",
};

/** The shades of a colour that an author chose, for the text, the background and the border. */
export type Tint = { readonly ink: string; readonly ground: string; readonly edge: string };

export type Colors = Readonly<Record<Role, string>> & { readonly tint: (color: string) => Tint };

/** Reads the current values of all colours at an element. Must be called again when the colour scheme changes. */
export function readColors(at: Element): Colors {
  const isForced = matchMedia("(forced-colors: active)").matches;
  const probe = document.createElement("span");
  probe.hidden = true;
  // Without this property, forced colours would replace each colour with the text colour.
  probe.style.setProperty("forced-color-adjust", "none");
  const read = (value: string): string => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const tints = new Map<string, Tint>();
  const tint = (color: string): Tint => {
    const known = tints.get(color);
    if (known) return known;
    if (!probe.isConnected) at.append(probe);
    // The classes are in `tints.css`.
    probe.className = `is-${color}`;
    const [ink, ground, edge] = isForced
      ? [read("CanvasText"), read("Canvas"), read("CanvasText")]
      : [
          read("var(--beside-ink, var(--app-text))"),
          read("var(--beside-ground, var(--app-surface))"),
          read("var(--beside-edge, var(--app-line))"),
        ];
    probe.className = "";
    probe.remove();
    const made = { ink, ground, edge };
    tints.set(color, made);
    return made;
  };
  // All elements are added before the first one is read, so that the browser computes the styles only once.
  const holder = document.createElement("span");
  holder.hidden = true;
  holder.style.setProperty("forced-color-adjust", "none");
  const probes = new Map<Role, HTMLElement>();
  for (const role of roleNames) {
    const own = document.createElement("span");
    own.style.color = isForced ? forced[role] : `var(${roles[role]})`;
    probes.set(role, own);
  }
  holder.append(...probes.values());
  at.append(holder);
  const of = (role: Role): string => getComputedStyle(probes.get(role) ?? holder).color;
  const colors = {
    surface: of("surface"),
    text: of("text"),
    muted: of("muted"),
    line: of("line"),
    strong: of("strong"),
    accent: of("accent"),
    soft: of("soft"),
    danger: of("danger"),
    warning: of("warning"),
    good: of("good"),
    veil: of("veil"),
    bar: of("bar"),
    says: of("says"),
    asks: of("asks"),
    decides: of("decides"),
    connects: of("connects"),
    thinks: of("thinks"),
    events: of("events"),
  };
  holder.remove();
  return { ...colors, tint };
}

/**
 * Calls the listener when the colour scheme or the use of forced colours changes. Returns a function that removes the
 * listener.
 */
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
