import { newId } from "./ids.ts";

/** This tab, as the browser remembers it over a reload. */
export type Tab = { readonly id: string; release(): void };

const ownWaitMs = 500;

/**
 * The tab's id, and a lock on it, so that other tabs can see that it is open. A duplicated tab gets an id of its own.
 */
export async function takeTab(storage: Storage | undefined = sessionStorageOrNone()): Promise<Tab> {
  const known = storage?.getItem(storageKey);
  if (known) {
    // The page before a reload may still be closing.
    const release = await lock(known, ownWaitMs);
    if (release) return { id: known, release };
  }
  const id = newId();
  try {
    storage?.setItem(storageKey, id);
  } catch {
    // If the browser has no room, a reload makes this another tab.
  }
  return { id, release: (await lock(id, ownWaitMs)) ?? (() => {}) };
}

/**
 * Whether this tab is open nowhere any more. If the browser cannot tell, the answer is yes: sending its remaining work
 * twice does no harm.
 */
export async function isAbandoned(tabId: string): Promise<boolean> {
  const release = await lock(tabId, 0);
  release?.();
  return release !== undefined;
}

const storageKey = "parley.editor.tab";

/** Browsers that are set to keep no data throw when they are asked. */
function sessionStorageOrNone(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** Returns the function that releases the lock; undefined if another tab holds it. On plain http there are no locks. */
async function lock(tabId: string, waitMs: number): Promise<(() => void) | undefined> {
  if (!("locks" in navigator)) return () => {};
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(waitMs);
    const options = waitMs === 0 ? { ifAvailable: true } : { signal };
    navigator.locks
      .request(`parley-editor-${tabId}`, options, (held) => {
        if (!held) return resolve(undefined);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(() => resolve(undefined));
  });
}
