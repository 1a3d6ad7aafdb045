import { useState } from "preact/hooks";
import { keep, read } from "../../session/local-storage.ts";

export type FlowView = "canvas" | "outline";

const key = "parley.flow-view";

/**
 * How a flow is shown in this browser: as it was last chosen, and at first as a picture where there is room for one.
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
