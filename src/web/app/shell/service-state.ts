import { type ReadonlySignal, signal } from "@preact/signals";
import { instance, loadInstance } from "./session.ts";

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

/** Asks for the service's version when somebody comes back to the page; a hidden one asks for nothing. */
export async function lookAtVersion(): Promise<void> {
  if (Date.now() - lookedAt < lookEveryMs) return;
  lookedAt = Date.now();
  const known = instance.peek()?.version;
  const found = await loadInstance().catch(() => undefined);
  if (known !== undefined && found !== undefined && found.version !== known) outdated.value = true;
}
