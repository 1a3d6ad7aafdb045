import { useState } from "preact/hooks";
import { keep, read } from "../../session/local-storage.ts";

export type FlowView = "canvas" | "outline";

const key = "parley.flow-view";

/**
 * Returns the view of flows in this browser, and a function that changes it. At first, the view is the canvas if there
 * is room for it.
 */
export function useFlowView(): readonly [FlowView, (next: FlowView) => void] {
  const [shown, setShown] = useState<FlowView>(firstView);
  return [
    shown,
    (next) => {
      keep(key, next);
      setShown(next);
    },
  ];
}

function firstView(): FlowView {
  const kept = read(key);
  if (kept === "canvas" || kept === "outline") return kept;
  return matchMedia("(max-width: 640px)").matches ? "outline" : "canvas";
}
