import { useEffect, useState } from "preact/hooks";
import type { OpenBot } from "../editor/index.ts";
import { Button, Icon } from "../ui/index.ts";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";
import "./saving-state.css";

const icons = {
  saved: "circle-check",
  saving: "cloud",
  offline: "cloud-off",
  refused: "circle-alert",
  closed: "lock",
  stopped: "lock",
} as const;

/** Shows the saving state as text. If changes could not be saved, a press on the text shows them. */
export function SavingState({ bot, onShow }: { readonly bot: OpenBot; readonly onShow: () => void }) {
  const { saving: words } = useWords(flowWords);
  const state = bot.editor.saving.value;
  const seconds = useSecondsUntil(state.kind === "offline" ? state.nextTryAt : undefined);
  const isLost = state.kind === "offline" && bot.isNotKept.value;
  // The notice above the flow shows why saving has stopped.
  const stopped = state.kind === "stopped" && (state.why === "signed-out" ? words["signed-out"] : words.stopped);
  const said = stopped || (isLost ? words.offlineNotKept : words[state.kind]);
  const toDecide = bot.editor.decisions.value.length;
  // Changes with a conflict have a separate button.
  const hasMore = bot.editor.held.value.some(({ reason }) => reason.kind !== "conflict");
  const content = (
    <>
      <Icon name={icons[state.kind]} size={15} />
      <span>{said}</span>
    </>
  );
  return (
    <div class={`saving-state is-${state.kind}`}>
      {hasMore ? (
        <button type="button" class="saving-state-words" onClick={onShow}>
          {content}
        </button>
      ) : (
        <span class="saving-state-words">{content}</span>
      )}
      {state.kind === "offline" && (
        <>
          <span class="saving-state-next">{words.nextTry({ seconds })}</span>
          <Button label={words.tryNow} size="s" kind="quiet" onPress={() => bot.editor.copy.retry()} />
        </>
      )}
      {state.kind === "stopped" && state.why === "signed-out" && (
        <Button label={words.tryNow} size="s" kind="quiet" onPress={() => bot.editor.copy.retry()} />
      )}
      {toDecide > 0 && (
        <button type="button" class="saving-state-decide" onClick={onShow}>
          <Icon name="users" size={14} />
          {words.toDecide({ count: toDecide })}
        </button>
      )}
    </div>
  );
}

function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (time === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1_000));
}

/** Downloads the flow as the author sees it, with the changes that could not be saved. The file can be imported. */
export function downloadUnsaved({ bot, editor }: OpenBot): void {
  const flow = { ...editor.copy.view(), name: bot.value.name, notSaved: editor.held.value.map(({ set }) => set) };
  const address = URL.createObjectURL(new Blob([JSON.stringify(flow, null, 2)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${bot.value.name}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
