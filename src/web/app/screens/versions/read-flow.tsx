/** @jsxImportSource preact */
import { useMemo, useState } from "preact/hooks";
import type { OpenBot } from "../../editor/index.ts";
import { Outline } from "../../outline/outline.tsx";
import { PreviewPanel, type SuppliedFlow } from "../../preview/index.tsx";
import { Button, Dialog, IconButton } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { versionWords } from "../../words/versions.ts";
import { ThingPanel } from "../flow/thing-panel.tsx";
import { useIsNarrow } from "../flow/use-narrow.ts";

/** A flow to be looked at: its outline, the form of what is selected, and a preview of it. */
export function ReadFlow({ bot, flow }: { readonly bot: OpenBot; readonly flow: SuppliedFlow }) {
  const words = useWords(versionWords);
  const isNarrow = useIsNarrow();
  const [panel, setPanel] = useState<"options" | "preview" | undefined>(isNarrow ? undefined : "options");
  const tried = useMemo(() => ({ id: bot.id, editor: bot.editor, flow }), [bot, flow]);
  const title = panel === "preview" ? words.preview : words.options;
  const content =
    panel === "preview" ? <PreviewPanel open={tried} onMark={bot.editor.mark} /> : <ThingPanel bot={bot} />;
  return (
    <div class="version-flow">
      <div class="version-tools">
        <Button
          icon="play"
          size="s"
          attributes={{ "aria-pressed": panel === "preview" }}
          onPress={() => setPanel(panel === "preview" ? (isNarrow ? undefined : "options") : "preview")}
        >
          {words.preview}
        </Button>
      </div>
      <div class="version-body">
        <Outline bot={bot} onOpen={() => setPanel("options")} onShow={() => setPanel("options")} />
        {panel && !isNarrow && (
          <aside class={`version-panel is-${panel}`} aria-label={title}>
            <IconButton icon="x" size="s" label={words.closePanel} onPress={() => setPanel(undefined)} />
            {content}
          </aside>
        )}
      </div>
      {panel && isNarrow && (
        <Dialog shape="sheet" title={title} onClose={() => setPanel(undefined)}>
          {content}
        </Dialog>
      )}
    </div>
  );
}
