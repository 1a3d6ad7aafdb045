import type { Gesture, Hit, Point, Port, View } from "../../canvas/contract.ts";
import type { Acts } from "../acts.ts";
import type { ActState, Connecting } from "../state.ts";

/**
 * Creates the gesture that connects cards. A new edge starts from a dragged or tapped port. An end of an existing edge
 * can be moved to another target.
 */
export function createConnecting(acts: Acts, view: View, state: ActState): Gesture {
  const { connecting } = state;
  const isReadOnly = (): boolean => view.source.editor.readOnly.value !== undefined;
  let start: Connecting | undefined;
  let last = { x: 0, y: 0 };
  return {
    begins(hit, event, at) {
      if (event.button !== 0 || isReadOnly()) return false;
      start = undefined;
      last = { x: event.clientX, y: event.clientY };
      if (hit.kind === "port") start = { port: hit.port, at, isWaiting: false };
      // While the author chooses the target of an edge, every other drag moves the view.
      else if (connecting.value) return true;
      else if (hit.kind === "edge" && hit.end && event.pointerType !== "touch")
        start = { port: hit.edge.port, end: { edge: hit.edge, which: hit.end }, at, isWaiting: false };
      return start !== undefined;
    },
    move(at, event) {
      const now = { x: event.clientX, y: event.clientY };
      if (start) connecting.value = { ...start, at };
      else view.camera.panBy({ x: last.x - now.x, y: last.y - now.y });
      last = now;
    },
    end(at) {
      if (!start) return;
      const made = start;
      start = undefined;
      connecting.value = undefined;
      finish(acts, view, state, made, at);
    },
    cancel() {
      start = undefined;
      if (!connecting.value?.isWaiting) connecting.value = undefined;
    },
    tap(hit, event, at) {
      if (event.button !== 0 || isReadOnly()) return false;
      const waiting = connecting.value;
      if (waiting && (hit.kind !== "port" || hit.port.cardId !== waiting.port.cardId)) {
        connecting.value = undefined;
        finish(acts, view, state, waiting, at);
        return true;
      }
      if (hit.kind !== "port") return false;
      // Tapping the same port again cancels the edge.
      const isSame = waiting?.port.key === hit.port.key;
      connecting.value = isSame ? undefined : { port: hit.port, at, isWaiting: true };
      return true;
    },
  };
}

function finish(acts: Acts, view: View, state: ActState, line: Connecting, at: Point): void {
  const { port, end } = line;
  if (end?.which === "from") {
    const other = view.portAt(at);
    if (other && other.key !== port.key) acts.reroute(port.outlet, other.outlet);
    return;
  }
  const target = targetAt(view, at, port);
  if (target === "none") return;
  if (target) acts.lead(port.outlet, target);
  else {
    const place = { kind: "ground", at: { x: Math.round(at.x), y: Math.round(at.y - 20) }, from: port.outlet } as const;
    const dropped = { connecting: { ...line, at, isWaiting: false }, point: view.toScreen(at) };
    // Opens the dialog after the pointer's release. Otherwise, the browser would treat the release as a press outside
    // the dialog and close it.
    setTimeout(() => {
      state.asking.value = { kind: "block", place, line: dropped };
    });
  }
}

export type Target = { readonly groupId: string; readonly blockId?: string };

/**
 * Returns the target of an edge: a group, or the block of a row below the first. Returns `none` if the edge cannot lead
 * to the object at the point, and undefined on the background.
 */
export function targetAt(view: View, at: Point, from: Port): Target | "none" | undefined {
  const hit: Hit = view.hitAt(at);
  const card = view.cardAt(at);
  if (!card) return undefined;
  if (card.kind === "event" || card.id === from.cardId) return "none";
  const first = card.rows.find(({ kind }) => kind === "block")?.blockId;
  const isLater = hit.kind === "row" && hit.blockId !== first;
  return { groupId: card.id, ...(isLater && { blockId: hit.blockId }) };
}
