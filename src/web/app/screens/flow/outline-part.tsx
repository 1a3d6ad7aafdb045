/** @jsxImportSource preact */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OutlineProps } from "../../outline/outline.tsx";
import { Skeleton } from "../../ui/index.ts";

let known: ComponentType<OutlineProps> | undefined;

/** The outline, which is loaded when it is first shown: who works on the canvas does without. */
export function OutlinePart(props: OutlineProps) {
  const [Outline, setOutline] = useState<ComponentType<OutlineProps> | undefined>(() => known);
  useEffect(() => {
    if (Outline) return;
    let isThere = true;
    void import("../../outline/outline.tsx").then(({ Outline: loaded }) => {
      known = loaded;
      if (isThere) setOutline(() => loaded);
    });
    return () => {
      isThere = false;
    };
  }, []);
  return Outline ? <Outline {...props} /> : <Skeleton rows={12} />;
}
