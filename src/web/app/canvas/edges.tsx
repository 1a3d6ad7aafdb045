import { useComputed } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { isWayOut } from "../../../core/interpreter/schemas/own-keys.ts";
import { pathOf } from "./scene/routing.ts";
import type { OpenView } from "./view.ts";

/** The edges that are rendered as elements. */
export function Edges({ view }: { readonly view: OpenView }) {
  const made = useRef(new Map<string, VNode>());
  const next = new Map<string, VNode>();
  const list = view.drawn.value.edges.map((key) => {
    const node = made.current.get(key) ?? <EdgeView key={key} view={view} edgeKey={key} />;
    next.set(key, node);
    return node;
  });
  made.current = next;
  return (
    <svg class="canvas-edges" width="1" height="1" aria-hidden="true">
      {list}
    </svg>
  );
}

function EdgeView({ view, edgeKey }: { readonly view: OpenView; readonly edgeKey: string }) {
  const edge = useComputed(() => view.scene.value.edge(edgeKey)).value;
  // The attribute is bound to the signal, so that a change of the mark only sets the class and renders nothing.
  const look = useComputed(() => `canvas-edge ${lookOf(view, edgeKey)}`);
  if (!edge) return null;
  return (
    <path
      ref={(element) => {
        if (element) view.elements.set(edgeKey, element);
        else view.elements.delete(edgeKey);
      }}
      class={look}
      d={pathOf(edge.route, { hasArrow: edge.toCardId !== undefined })}
    />
  );
}

function lookOf(view: OpenView, key: string): string {
  const edge = view.scene.value.edge(key);
  if (!edge) return "";
  const chosen = view.selection.cards.value;
  const isNear = chosen.has(edge.port.cardId) || (edge.toCardId !== undefined && chosen.has(edge.toCardId));
  const mark = view.marks.value?.value.get(edge.id);
  const looks = [
    isWayOut(edge.port.outlet.kind) && "is-way",
    edge.toCardId === undefined && "is-broken",
    view.selection.edge.value === edge.id && "is-chosen",
    view.hoveredEdge.value === key && "is-hovered",
    isNear && "is-near",
    view.source.editor.walked.value?.edgeIds.has(edge.id) && "is-walked",
    mark && (mark.width === undefined ? `has-mark is-${mark.tone}` : `is-wide is-wide-${mark.width}`),
  ];
  return looks.filter(Boolean).join(" ");
}
