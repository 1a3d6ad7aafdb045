import { newId } from "./ids.ts";

/** The identity of this tab, which survives a reload. */
export type Tab = { readonly id: string; release(): void };

const ownWaitMs = 500;

/**
 * Returns the tab's id and locks it, so that other tabs can detect that the tab is open. If the browser supports locks,
 * a duplicated tab gets its own id.
 */
export async function takeTab(storage: Storage | undefined = sessionStorageOrNone()): Promise<Tab> {
  const known = storage?.getItem(storageKey);
  if (known) {
    // The page before the reload may still be closing.
    const release = await lock(known, ownWaitMs);
    if (release) return { id: known, release };
  }
  const id = newId();
  try {
    storage?.setItem(storageKey, id);
  } catch {
    // If the browser cannot store the id, the tab gets a new id after a reload.
  }
  return { id, release: (await lock(id, ownWaitMs)) ?? (() => {}) };
}

/**
 * Whether no open tab has this id. Returns true if the browser does not support locks, because sending the remaining
 * work twice does no harm.
 */
export async function isAbandoned(tabId: string): Promise<boolean> {
  const release = await lock(tabId, 0);
  release?.();
  return release !== undefined;
}

const storageKey = "parley.editor.tab";

/** Returns the session storage; undefined if the browser is set to store no data, in which case the access throws. */
function sessionStorageOrNone(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * Acquires a lock. Returns the function that releases the lock, or undefined if another tab still holds it after the
 * given time. On plain HTTP, browsers do not support locks, and the returned function does nothing.
 */
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
