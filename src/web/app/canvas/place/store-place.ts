import { effect } from "@preact/signals";
import { keep, read } from "../../session/local-storage.ts";
import type { OpenView } from "../view.ts";
import { keyOfPlace, placeText, windowNow } from "./stored-place.ts";

// The view of a flow is stored in this browser. The list of the last opened bots limits the number of stored views.
const listKey = "parley.places";
const mostBots = 40;
const mostFolded = 500;
const restMs = 400;

/** Starts storing the camera position and the folded cards of a view. Returns a function that stops storing them. */
export function storePlace(view: OpenView, botId: string): () => void {
  let timer = 0;
  const write = (): void => {
    clearTimeout(timer);
    timer = 0;
    const { x, y, width, height } = view.camera.boxNow();
    if (!view.isPlaced || width === 0) return;
    const { zoom } = view.camera;
    const folded = [...view.collapsed.value].filter((id) => view.scene.value.cards.has(id));
    const middle = { x: x + width / 2, y: y + height / 2, zoom };
    const place = { middle, corner: { x, y }, window: windowNow() };
    keep(keyOfPlace(botId), placeText(place, folded.slice(0, mostFolded)));
    noteUse(botId);
  };
  const stop = effect(() => {
    view.camera.state.value;
    view.collapsed.value;
    timer ||= window.setTimeout(write, restMs);
  });
  addEventListener("pagehide", write);
  return () => {
    stop();
    removeEventListener("pagehide", write);
    write();
  };
}

function noteUse(botId: string): void {
  const ids = (read(listKey) ?? "").split("\n").filter((id) => id !== "");
  if (ids[0] === botId) return;
  const next = [botId, ...ids.filter((id) => id !== botId)];
  for (const id of next.slice(mostBots)) keep(keyOfPlace(id), null);
  keep(listKey, next.slice(0, mostBots).join("\n"));
}
