/** @jsxImportSource preact */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { Outline } from "../../outline/outline.tsx";
import { guardLeaving, route } from "../../shell/router.ts";
import { announce, Banner, Button, Dialog } from "../../ui/index.ts";
import { flowWords } from "../../words/flow.ts";
import { commandWords } from "../../words/flow-commands.ts";
import { panelWords } from "../../words/flow-panels.ts";
import { useWords } from "../../words/index.ts";
import { FindBar } from "./find-bar.tsx";
import { PanelContent, type PanelName } from "./panel.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { downloadUnsaved } from "./saving-state.tsx";
import { TopBar } from "./top-bar.tsx";
import { useIsNarrow } from "./use-narrow.ts";
import "./flow.css";

/** An open flow: its bar, the outline, and one panel beside it, which comes as a sheet where there is no room. */
export function FlowEditor({ bot, onReopen }: { readonly bot: OpenBot; readonly onReopen: () => void }) {
  const words = useWords(flowWords);
  const { panel: panelTitles } = useWords(panelWords);
  const { editor } = bot;
  const [panel, setPanel] = useState<PanelName | undefined>(() =>
    matchMedia("(max-width: 900px)").matches ? undefined : "block",
  );
  const [isFinding, setFinding] = useState(false);
  const [isPublishing, setPublishing] = useState(false);
  const isNarrow = useIsNarrow();
  const aside = useRef<HTMLElement>(null);
  useAnnouncements(bot);
  useDeepLink(bot);
  useUnsavedGuard(bot);

  const step = (back: boolean): void => {
    const undone = back ? editor.undo() : editor.redo();
    if (!undone) return;
    const who = undone.left[0]?.by?.name ?? words.bar.somebody;
    const done = back ? words.bar.undone(undone.title) : words.bar.redone(undone.title);
    announce(undone.left.length > 0 ? `${done}. ${words.bar.left(undone.left.length, who)}` : done);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const isInField = event.target instanceof HTMLElement && event.target.closest("[contenteditable]") !== null;
      if (key === "f") setFinding(true);
      else if (key === "z" && !isInField) step(!event.shiftKey);
      else if (key === "y" && !isInField) step(false);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });

  const focusPanel = (): void => {
    setPanel("block");
    const meant = editor.selection.peek();
    requestAnimationFrame(() => focusForm(() => editor.selection.peek() === meant));
  };
  const content = panel && <PanelContent name={panel} bot={bot} onReopen={onReopen} />;
  return (
    <main class="flow-screen" id="main" tabIndex={-1}>
      <TopBar
        bot={bot}
        panel={panel}
        onPanel={setPanel}
        onStep={step}
        onFind={() => setFinding(!isFinding)}
        onPublish={() => setPublishing(true)}
      />
      {isFinding && <FindBar bot={bot} onClose={() => setFinding(false)} />}
      <Notices bot={bot} onReopen={onReopen} />
      <div class="flow-body">
        <Outline bot={bot} onOpen={focusPanel} onShow={() => setPanel("block")} />
        {content && !isNarrow && (
          <aside
            class="flow-panel"
            ref={aside}
            aria-label={titleOf(panel, panelTitles)}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || document.querySelector(":popover-open")) return;
              // Fields take it for what they show; rich text for nothing that anybody misses.
              const isInText = event.target instanceof HTMLElement && event.target.isContentEditable;
              if (event.defaultPrevented && !isInText) return;
              document.querySelector<HTMLElement>(".outline-row[tabindex='0']")?.focus();
            }}
          >
            {content}
          </aside>
        )}
      </div>
      {content && isNarrow && (
        <Dialog shape="sheet" title={titleOf(panel, panelTitles)} onClose={() => setPanel(undefined)}>
          {content}
        </Dialog>
      )}
      {isPublishing && <PublishDialog bot={bot} onClose={() => setPublishing(false)} />}
    </main>
  );
}

/** The first field of the form: a part of it that is loaded when it is met may take a while, in which the author may go elsewhere. */
function focusForm(isMeant: () => boolean, frames = 300): void {
  if (!isMeant()) return;
  const panel = document.querySelector("[data-panel-body]");
  const isLoading = panel?.querySelector(".app-skeleton") !== null;
  const find = (selector: string) =>
    [...(panel?.querySelectorAll<HTMLElement>(selector) ?? [])].find((one) => one.checkVisibility());
  const field = isLoading
    ? undefined
    : (find("input, textarea, select, [contenteditable='true'], [role='combobox']") ?? find(".app-form button"));
  if (field) field.focus();
  else if (frames > 0) requestAnimationFrame(() => focusForm(isMeant, frames - 1));
}

function titleOf(panel: PanelName | undefined, words: Readonly<Record<PanelName, string>>): string {
  return words[panel ?? "block"];
}

/** What concerns the whole flow: that it cannot be edited, or that nothing is kept here. */
function Notices({ bot, onReopen }: { readonly bot: OpenBot; readonly onReopen: () => void }) {
  const words = useWords(flowWords);
  const readOnly = bot.editor.readOnly.value;
  const upgrade = async (): Promise<void> => {
    const path = { botId: bot.id };
    const { bot: converted } = await call("GET /api/v1/bots/:botId", { path, query: { migrateToLatestVersion: true } });
    const { version, groups, events, edges, variables, updatedAt } = converted;
    await call("PATCH /api/v1/bots/:botId", {
      path,
      body: { bot: { version, groups, events, edges, variables, updatedAt } },
    });
    onReopen();
  };
  if (readOnly === "older" && bot.mode === "write") {
    return (
      <Banner action={<Button onPress={() => void upgrade()}>{words.readOnly.upgrade}</Button>}>
        {words.readOnly.older}
      </Banner>
    );
  }
  if (readOnly === "right" || readOnly === "older") return <Banner>{words.readOnly.right}</Banner>;
  if (readOnly) {
    const isUnsaved = bot.editor.copy.pending().length + bot.editor.held.value.length > 0;
    return (
      <Banner
        tone="warning"
        isAlert
        action={isUnsaved && <Button onPress={() => downloadUnsaved(bot)}>{words.saving.download}</Button>}
      >
        {words.saving[readOnly]}
      </Banner>
    );
  }
  return bot.isNotKept.value ? <Banner tone="warning">{words.saving.notKept}</Banner> : null;
}

/** What a reader is told by the way: once for each, and assertively only what is lost or contested. */
function useAnnouncements({ editor, live }: OpenBot): void {
  const { announce: words } = useWords(commandWords);
  const before = useRef({ saving: "saved", here: new Set<string>() });
  useSignalEffect(() => {
    const { kind } = editor.saving.value;
    const was = before.current.saving;
    before.current.saving = kind;
    if (kind === was) return;
    if (kind === "conflict") announce(words.conflict, "assertive");
    else if (kind === "offline") announce(words.offline, "assertive");
    else if (kind === "saved") announce(was === "offline" ? words.back : words.saved);
  });
  useSignalEffect(() => {
    const here = live.present.value;
    for (const { id, name } of here) if (!before.current.here.has(id)) announce(words.joined(name ?? "?"));
    before.current.here = new Set(here.map(({ id }) => id));
  });
  useSignalEffect(() => {
    const last = editor.lastOthers.value.at(-1);
    if (last) announce(words.others(last.by?.name ?? "?"));
  });
}

/** `?at=` names a group, a block or an event: it is selected. */
function useDeepLink({ editor }: OpenBot): void {
  const at = route.value.query.get("at");
  useEffect(() => {
    if (at === null) return;
    const { find } = editor.store;
    const kind = find.block(at) ? "block" : find.group(at) ? "group" : find.event(at) ? "event" : undefined;
    if (kind) editor.selection.value = { kind, id: at };
  }, [at]);
}

/** The browser asks before a page is closed whose work it does not keep. */
function useUnsavedGuard({ editor, isNotKept }: OpenBot): void {
  useEffect(() => {
    const isLost = (): boolean =>
      isNotKept.peek() && (editor.copy.pending().length > 0 || editor.held.peek().length > 0);
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (isLost()) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    const stop = guardLeaving(() => !isLost() || editor.saving.peek().kind === "saving");
    return () => {
      removeEventListener("beforeunload", onUnload);
      stop();
    };
  }, []);
}
