import { type ReadonlySignal, signal } from "@preact/signals";
import { loadInstance } from "./session.ts";

/** The version of the service with which this page was built. */
declare const appVersion: string;

const offline = signal(false);
const outdated = signal(false);

/** Whether the browser is offline, according to its last `online` or `offline` event. */
export const isOffline: ReadonlySignal<boolean> = offline;
/** Whether the service has reported a version that differs from the version of this page. */
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
 * Requests the version of the service and compares it with the version of this page. Without `isAgain`, does nothing if
 * the version was requested recently.
 */
export async function lookAtVersion({ isAgain = false }: { readonly isAgain?: boolean } = {}): Promise<void> {
  if (!isAgain && Date.now() - lookedAt < lookEveryMs) return;
  lookedAt = Date.now();
  const found = await loadInstance().catch(() => undefined);
  if (found !== undefined && found.version !== appVersion) outdated.value = true;
}
