import { type ReadonlySignal, signal } from "@preact/signals";
import { loadInstance } from "./session.ts";

/** The version that the page was built with. */
declare const appVersion: string;

const offline = signal(false);
const outdated = signal(false);

/** Whether the browser has no network. */
export const isOffline: ReadonlySignal<boolean> = offline;
/** Whether the service has another version than this page. */
export const isOutdated: ReadonlySignal<boolean> = outdated;

const lookEveryMs = 5 * 60_000;
let lookedAt = 0;

if (typeof addEventListener === "function") {
  addEventListener("online", () => {
    offline.value = false;
  });
  addEventListener("offline", () => {
    offline.value = true;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void lookAtVersion();
  });
}

/**
 * Requests the service's version when the author returns to the page, or the service is reachable again; a hidden page
 * requests nothing.
 */
export async function lookAtVersion({ isAgain = false }: { readonly isAgain?: boolean } = {}): Promise<void> {
  if (!isAgain && Date.now() - lookedAt < lookEveryMs) return;
  lookedAt = Date.now();
  const found = await loadInstance().catch(() => undefined);
  if (found !== undefined && found.version !== appVersion) outdated.value = true;
}
