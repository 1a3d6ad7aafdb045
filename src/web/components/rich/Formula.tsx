/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";

/** A formula: as it was written until the library that draws it is there, and where that cannot. */
export function Formula({ tex, isBlock }: { readonly tex: string; readonly isBlock: boolean }) {
  const drawing = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState("");
  useEffect(() => {
    let isOver = false;
    // A formula that grows is drawn once it rests.
    const timer = setTimeout(async () => {
      const { drawFormula } = await import("./draw-formula.ts");
      if (isOver || !drawing.current) return;
      setDrawn(drawFormula(tex, drawing.current, isBlock) ? tex : "");
    }, 60);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [tex, isBlock]);
  const isDrawn = drawn === tex && tex !== "";
  return (
    <span class={isBlock ? "rich-math is-block" : "rich-math"} dir="ltr">
      <code hidden={isDrawn}>{tex}</code>
      <span ref={drawing} hidden={!isDrawn} />
    </span>
  );
}
