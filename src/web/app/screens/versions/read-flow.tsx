import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Canvas, createView } from "../../canvas/index.tsx";
import type { OpenBot } from "../../editor/index.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Outline } from "../../outline/outline.tsx";
import { PreviewPanel, type SuppliedFlow } from "../../preview/index.tsx";
import { Button, Dialog, IconButton, laterWithField } from "../../ui/index.ts";
import { flowWords } from "../../words/flow.ts";
import { useWords } from "../../words/index.ts";
import { versionWords } from "../../words/versions.ts";
import { ThingPanel } from "../flow/thing-panel.tsx";
import { useFlowView } from "../flow/use-flow-view.ts";
import { useIsNarrow } from "../flow/use-narrow.ts";
import { VariablesPanel } from "../flow/variables/panel.tsx";
import { ViewSwitch } from "../flow/view-switch.tsx";

const FindBar = laterWithField<{ readonly bot: OpenBot; readonly onClose: () => void }>(
  async () => (await import("../flow/find/find-bar.tsx")).FindBar,
);

type Panel = "options" | "variables" | "preview";

export type ReadFlowProps = {
  readonly bot: OpenBot;
  readonly flow: SuppliedFlow;
  /** Whether something of it is to be looked at from the beginning. */
  readonly isAt: boolean;
  /** The description beside its tools. */
  readonly children: ComponentChildren;
};

/** A flow to be looked at, as the editor shows it and without what changes it: canvas or outline, find, variables, forms and a preview. */
export function ReadFlow({ bot, flow, isAt, children }: ReadFlowProps) {
  const words = useWords(versionWords);
  const { bar } = useWords(flowWords);
  const isNarrow = useIsNarrow();
  const [shown, show] = useFlowView();
  const view = useMemo(() => createView(bot), [bot]);
  const [panel, setPanel] = useState<Panel | undefined>(
    !isNarrow && (shown === "outline" || isAt) ? "options" : undefined,
  );
  const [isFinding, setFinding] = useState(false);
  const tried = useMemo(() => ({ id: bot.id, editor: bot.editor, flow }), [bot, flow]);
  const toggle = (name: Panel): void => setPanel(panel === name ? undefined : name);
  useCommands(
    "flow",
    { find: () => setFinding(true), switchView: () => show(shown === "canvas" ? "outline" : "canvas") },
    ({ defaultPrevented }) => defaultPrevented,
  );
  const titles = { options: words.options, variables: words.variables, preview: words.preview };
  const content =
    panel &&
    {
      options: <ThingPanel bot={bot} />,
      variables: <VariablesPanel bot={bot} />,
      preview: <PreviewPanel open={tried} onMark={bot.editor.mark} />,
    }[panel];
  return (
    <>
      <div class="version-strip">
        <div class="version-words">{children}</div>
        <div class="version-tools">
          <ViewSwitch shown={shown} onShow={show} />
          <IconButton icon="search" label={bar.find} onPress={() => setFinding(!isFinding)} />
          <IconButton
            icon="braces"
            label={words.variables}
            isPressed={panel === "variables"}
            onPress={() => toggle("variables")}
          />
          <Button
            label={words.tryThis}
            icon="play"
            attributes={{ "aria-pressed": panel === "preview" }}
            onPress={() => toggle("preview")}
          />
        </div>
      </div>
      <div class="version-body">
        <div class="find-ground" data-ground>
          {shown === "canvas" ? (
            <Canvas
              view={view}
              onOpen={({ hasFocus }) => {
                if (hasFocus || (!isNarrow && panel !== "preview")) setPanel("options");
              }}
            />
          ) : (
            <Outline bot={bot} onOpen={() => setPanel("options")} onShow={() => setPanel("options")} />
          )}
          {isFinding && <FindBar bot={bot} onClose={() => setFinding(false)} />}
        </div>
        {panel && !isNarrow && (
          <aside class={`version-panel is-${panel}`} aria-label={titles[panel]}>
            <IconButton icon="x" size="s" label={words.closePanel} onPress={() => setPanel(undefined)} />
            {content}
          </aside>
        )}
      </div>
      {panel && isNarrow && (
        <Dialog shape="sheet" title={titles[panel]} onClose={() => setPanel(undefined)}>
          {content}
        </Dialog>
      )}
    </>
  );
}
