import { useComputed } from "@preact/signals";
import { IconButton, Menu } from "../ui/index.ts";
import { canvasWords } from "../words/canvas.ts";
import { useWords } from "../words/index.ts";
import { wheelKinds } from "./input/wheel.ts";
import { setWheelKind, wheelKind } from "./input/wheel-kind.ts";
import { chosenBoxes, fitChosen } from "./place/fit.ts";
import type { OpenView } from "./view.ts";

/** How large the flow is shown, and how to see all of it. */
export function Tools({ view }: { readonly view: OpenView }) {
  const words = useWords(canvasWords);
  const { camera } = view;
  // Signals as they are: a change at each step of zooming is set on the page, and no button is drawn anew.
  const percent = useComputed(() => Math.round(camera.state.value.zoom * 100));
  const label = useComputed(() => words.zoomTo(percent.value));
  return (
    <div class="canvas-tools" data-pointers {...{ role: "group", "aria-label": words.tools }}>
      <IconButton icon="minus" size="s" label={words.zoomOut} onPress={() => camera.zoomTo(camera.zoom / 1.25)} />
      <button type="button" class="canvas-zoom" aria-label={label} onClick={() => camera.zoomTo(1)}>
        {percent} %
      </button>
      <IconButton icon="plus" size="s" label={words.zoomIn} onPress={() => camera.zoomTo(camera.zoom * 1.25)} />
      <IconButton icon="maximize" size="s" label={words.fit} onPress={() => camera.fit()} />
      <Menu
        label={words.wheel}
        icon="ellipsis"
        isIconOnly
        kind="quiet"
        items={() => [
          {
            label: words.fitSelection,
            isDisabled: chosenBoxes(view).length === 0,
            onPress: () => fitChosen(view),
          },
          { kind: "line" },
          ...wheelKinds.map((kind) => ({
            label: `${words.wheel}: ${words.wheels[kind]}`,
            ...(wheelKind.peek() === kind && { icon: "check" }),
            onPress: () => setWheelKind(kind),
          })),
        ]}
      />
    </div>
  );
}
