import { keysOf } from "../../keys/keymap.ts";
import { IconButton } from "../../ui/index.ts";
import canvasWords from "../../words/en/canvas.json";
import { useWords } from "../../words/index.ts";
import type { FlowView } from "./use-flow-view.ts";

type ViewSwitchProps = { readonly shown: FlowView; readonly onShow: (shown: FlowView) => void };

/** Switches between the canvas and the outline. */
export function ViewSwitch({ shown, onShow }: ViewSwitchProps) {
  const words = useWords(canvasWords);
  const other = shown === "canvas" ? "outline" : "canvas";
  return (
    <IconButton
      icon={other === "canvas" ? "workflow" : "list-tree"}
      label={words.switchTo[other]}
      keys={keysOf("switchView")}
      onPress={() => onShow(other)}
    />
  );
}
