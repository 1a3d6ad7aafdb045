import { Handle, type Instance, type Node, Position, ReactFlow } from "@xyflow/react";
import { createElement, memo } from "react";
import { createRoot } from "react-dom/client";
import "@xyflow/react/dist/style.css";
import type { View } from "./stage.ts";

// A minimal page with React Flow that follows the library's recommendations for performance: a memoised card, constant
// types and props, its own state.

type Card = { readonly title: string; readonly rows: readonly string[] };

const CardNode = memo(function CardNode({ data: { title, rows } }: { readonly data: Card }) {
  return createElement(
    "div",
    { className: "card" },
    createElement(Handle, { key: "in", type: "target", position: Position.Left }),
    createElement("div", { key: "title", className: "card-title" }, title),
    rows.map((text, index) =>
      createElement("div", { key: index, className: "card-row" }, createElement("span", undefined, text)),
    ),
    createElement(Handle, { key: "out", type: "source", position: Position.Right }),
  );
});
const nodeTypes = { card: CardNode };

const asked = new URL(location.href).searchParams;
const { nodes, edges } = await (await fetch(`/flow/${asked.get("flow")}`)).json();
const root = document.querySelector("#root");
let flow: Instance | undefined;

const choose = (isChosen: (id: string) => boolean): void =>
  flow?.setNodes((now) =>
    now.map((node) => (node.selected === isChosen(node.id) ? node : { ...node, selected: isChosen(node.id) })),
  );

/** The page's interface for the benchmark. */
Object.assign(window, {
  async show({ camera: { x, y, zoom }, size, chosen }: View) {
    if (root instanceof HTMLElement)
      Object.assign(root.style, { width: `${size.width}px`, height: `${size.height}px` });
    const ids = new Set(chosen);
    flow?.setNodes(nodes.map((node: Node) => (ids.has(node.id) ? { ...node, selected: true } : { ...node })));
    await flow?.setViewport({ x: -x * zoom, y: -y * zoom, zoom });
  },
  chooseAll: () => choose(() => true),
  chooseNone: () => choose(() => false),
});

if (root)
  createRoot(root).render(
    createElement(ReactFlow, {
      defaultNodes: nodes,
      defaultEdges: edges,
      nodeTypes,
      onlyRenderVisibleElements: asked.has("visible"),
      // The same position as on the builder's canvas.
      defaultViewport: { x: 64, y: 300, zoom: 0.8 },
      minZoom: 0.03,
      maxZoom: 3,
      panOnScroll: true,
      panOnScrollSpeed: 1,
      onInit(instance) {
        flow = instance;
      },
    }),
  );
