const name = "parley-sound";

/**
 * Whether the visitor of this browser has muted sounds that play automatically. Without storage, the choice lasts until
 * the page is closed.
 */
export function isSoundOff(): boolean {
  try {
    return localStorage.getItem(name) === "off";
  } catch {
    return isOffHere;
  }
}

let isOffHere = false;

/** Turns sounds on or off. Turning them off pauses all media of the chat. */
export function turnSound(isOn: boolean, chat: Element | null): void {
  isOffHere = !isOn;
  try {
    if (isOn) localStorage.removeItem(name);
    else localStorage.setItem(name, "off");
  } catch {}
  if (!isOn) for (const media of chat?.querySelectorAll<HTMLMediaElement>("audio, video") ?? []) media.pause();
}
