import type { Overlay, View } from "../../canvas/contract.ts";
import { sizes } from "../../canvas/scene/geometry.ts";
import { Button } from "../../ui/index.ts";
import { canvasActWords } from "../../words/flow-canvas-acts.ts";
import { useWords } from "../../words/index.ts";
import type { Acts } from "../acts.ts";
import type { ActState } from "../state.ts";

/** In an empty flow: the first group, as it will stand there, and what begins it. */
export function ghostOverlay(acts: Acts, view: View, state: ActState): Overlay {
  return { key: "ghost", layer: "above", render: () => <Ghost acts={acts} view={view} state={state} /> };
}

function Ghost({ acts, view, state }: { readonly acts: Acts; readonly view: View; readonly state: ActState }) {
  const { ghost: words } = useWords(canvasActWords);
  const { structure } = view.source.editor.store;
  if (structure.value.groups.length > 0 || view.source.editor.readOnly.value !== undefined) return null;
  const start = [...view.scene.value.cards.values()].find(({ kind }) => kind === "event");
  const { x = 0, y = 0, width = 0, height = 0 } = start?.box ?? {};
  // Beside the start, or below it where there is no room.
  const isBeside = view.camera.size.value.width >= 720;
  const corner = isBeside ? { x: x + width + 96, y: y - 24 } : { x: x + (width - sizes.card) / 2, y: y + height + 40 };
  const stop = { onPointerDown: (event: PointerEvent) => event.stopPropagation() };
  return (
    <div class="act-ghost" style={{ transform: `translate(${corner.x}px, ${corner.y}px)` }} {...stop}>
      <h2>{words.title}</h2>
      <div class="act-ghost-actions">
        <Button label={words.text} size="s" kind="primary" icon="message-circle" onPress={() => acts.add("text")} />
        <Button
          label={words.other}
          size="s"
          kind="quiet"
          onPress={() => (state.asking.value = { kind: "block", place: acts.placeForBlock() })}
        />
      </div>
    </div>
  );
}
