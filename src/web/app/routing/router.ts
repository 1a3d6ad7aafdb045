import { type ReadonlySignal, signal } from "@preact/signals";
import { type ComponentChildren, h } from "preact";

/** The location of the page: the path below `/app`, the query, and the fragment. */
export type Route = { readonly path: string; readonly query: URLSearchParams; readonly hash: string };

const base = "/app";
const current = signal<Route>(readRoute());

/** The current location, which every screen reads. */
export const route: ReadonlySignal<Route> = current;

type BotHere = {
  readonly botId: string;
  readonly workspaceId: string;
  /** The number of the bot's live version. */
  readonly live: number | undefined;
};

/** The bot of the current screen, once it is loaded. */
export const botHere = signal<BotHere | undefined>(undefined);

const leaveGuards = new Set<() => boolean>();

/**
 * Registers a guard that is called before a link or a command opens another location of the builder. A guard prevents
 * this by returning false. Replacing the location, the browser's buttons and closing the page do not call the guard.
 * Returns a function that removes the guard.
 */
export function guardLeaving(mayLeave: () => boolean): () => void {
  leaveGuards.add(mayLeave);
  return () => leaveGuards.delete(mayLeave);
}

/** Navigates to a path below `/app`, such as `/bots/abc?at=def`. */
export function go(path: string, { isReplacing = false }: { readonly isReplacing?: boolean } = {}): void {
  if (!isReplacing && [...leaveGuards].some((mayLeave) => !mayLeave())) return;
  const address = base + (path === "/" ? "" : path);
  const before = readRoute().path;
  if (isReplacing) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  const next = readRoute();
  current.value = next;
  // A new screen starts at the top. For back and forward, the browser restores the scroll position.
  if (!isReplacing && next.path !== before) scrollTo(0, 0);
}

/** Returns the URL of a path below `/app`, for links and for sharing. */
export function addressOf(path: string): string {
  return base + (path === "/" ? "" : path);
}

/**
 * Returns the parameters that a pattern such as `/bots/:botId/results/:resultId?` reads from a path; undefined if the
 * path does not match.
 */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/").filter((part) => part !== "");
  const given = path.split("/").filter((part) => part !== "");
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    if (part === "*") return { ...found, rest: given.slice(index).join("/") };
    const value = given[index];
    if (!part.startsWith(":")) {
      if (part !== value) return undefined;
      continue;
    }
    const isOptional = part.endsWith("?");
    if (value === undefined && !isOptional) return undefined;
    if (value !== undefined) found[part.replace(/^:|\?$/g, "")] = decoded(value);
  }
  return given.length > wanted.length ? undefined : found;
}

export type LinkProps = {
  readonly to: string;
  readonly class?: string | undefined;
  readonly children?: ComponentChildren;
  readonly isCurrent?: boolean | undefined;
  readonly label?: string | undefined;
  readonly title?: string | undefined;
  readonly onFollow?: (() => void) | undefined;
};

/** A link to another screen. A click with a modifier or the middle button is left to the browser. */
export function Link({ to, children, isCurrent, label, title, onFollow, ...rest }: LinkProps) {
  return h(
    "a",
    {
      ...rest,
      href: addressOf(to),
      title,
      "aria-label": label,
      "aria-current": isCurrent ? "page" : undefined,
      onClick: (event: MouseEvent) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onFollow?.();
        go(to);
      },
    },
    children,
  );
}

/** Handles the browser's back and forward buttons. Called once. */
export function followHistory(): void {
  addEventListener("popstate", () => {
    current.value = readRoute();
  });
  addEventListener("hashchange", () => {
    current.value = readRoute();
  });
}

function readRoute(): Route {
  if (typeof location === "undefined") return { path: "/", query: new URLSearchParams(), hash: "" };
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : "/";
  return {
    path: path.replace(/(?!^)\/$/, "") || "/",
    query: new URLSearchParams(location.search),
    hash: location.hash.replace(/^#/, ""),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
