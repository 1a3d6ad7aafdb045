const name = "parley-sound";

/**
 * Whether this browser's visitor wants no sound to play by itself. Only a press decides it, so it is stored if storage
 * is available.
 */
export function isSoundOff(): boolean {
  try {
    return localStorage.getItem(name) === "off";
  } catch {
    return isOffHere;
  }
}

// If storage is denied, this lasts until the page is closed.
let isOffHere = false;

/** Turns sounds on, or off: those that play stop. */
export function turnSound(isOn: boolean, chat: Element | null): void {
  isOffHere = !isOn;
  try {
    if (isOn) localStorage.removeItem(name);
    else localStorage.setItem(name, "off");
  } catch {}
  if (!isOn) for (const media of chat?.querySelectorAll<HTMLMediaElement>("audio, video") ?? []) media.pause();
}
