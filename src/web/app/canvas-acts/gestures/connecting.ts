import type { Gesture, Hit, Point, Port, View } from "../../canvas/contract.ts";
import type { Acts } from "../acts.ts";
import type { ActState, Connecting } from "../state.ts";

/**
 * Draws lines: from a port that is dragged, or that is tapped before its target; and moves ends of lines to other
 * targets.
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
      // While a line's target is chosen, a drag always moves the view.
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
      // Choosing the same port again cancels the line.
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
    // The browser closes a menu that opens while the pointer goes up, as if the press were outside.
    setTimeout(() => {
      state.asking.value = { kind: "block", place, line: dropped };
    });
  }
}

export type Target = { readonly groupId: string; readonly blockId?: string };

/**
 * The target of a line: a group, or, on a row below its first, the row's block; `none` if the line cannot lead to what
 * is under the pointer. Undefined: the ground.
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
