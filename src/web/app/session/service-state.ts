import { type ReadonlySignal, signal } from "@preact/signals";
import { loadInstance } from "./session.ts";

/** The version that the page was built with. */
declare const appVersion: string;

const offline = signal(false);
const outdated = signal(false);

/** Whether the browser has no network. */
export const isOffline: ReadonlySignal<boolean> = offline;
/** Whether the service is another version than the one that this page came from. */
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
 * Asks for the service's version when somebody comes back to the page, or it has come back itself; a hidden page asks
 * for nothing.
 */
export async function lookAtVersion({ isAgain = false }: { readonly isAgain?: boolean } = {}): Promise<void> {
  if (!isAgain && Date.now() - lookedAt < lookEveryMs) return;
  lookedAt = Date.now();
  const found = await loadInstance().catch(() => undefined);
  if (found !== undefined && found.version !== appVersion) outdated.value = true;
}
