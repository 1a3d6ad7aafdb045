import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { EditingNotices, useEditing } from "../../bot-bar/editing.tsx";
import { PublishDialog } from "../../bot-bar/publish-button.tsx";
import { useSteps } from "../../bot-bar/steps.tsx";
import type { Box } from "../../canvas/contract.ts";
import { createView, type OpenView } from "../../canvas/index.tsx";
import { readPlace } from "../../canvas/place/stored-place.ts";
import { rowBoxOf } from "../../canvas/scene/covers.ts";
import { cardOf } from "../../canvas/view.ts";
import { ActingCanvas } from "../../canvas-acts/index.tsx";
import { createActState } from "../../canvas-acts/state.ts";
import type { CommentsAsked } from "../../comments/panel.tsx";
import { CommentsReader } from "../../comments/reader.tsx";
import { selectedPlace } from "../../comments/selected-place.ts";
import type { FlowThing } from "../../editor/commands/command.ts";
import { framesIn } from "../../editor/commands/surroundings.ts";
import type { CommentAct, CommentPlace } from "../../editor/comment-signs.ts";
import type { OpenBot } from "../../editor/index.ts";
import { type Beside, blockIdOf } from "../../editor/selection.ts";
import { NewVersion } from "../../frame/frame.tsx";
import { holdKeys } from "../../keys/hold-keys.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { usePalette } from "../../palette/offers.tsx";
import { go, route } from "../../routing/router.ts";
import { isOutdated } from "../../session/service-state.ts";
import { Dialog, later, laterWithField, rememberFocus, Skeleton } from "../../ui/index.ts";
import panelNameWords from "../../words/en/panel-name.json";
import { useWords } from "../../words/index.ts";
import type { FindBarProps } from "./find/find-bar.tsx";
import type { InsightLayer } from "./insight/insight-bar.tsx";
import { PanelContent, type PanelName, type PanelRequest } from "./panel.tsx";
import { type PanelKind, panelWidths } from "./panel-width.ts";
import { TopBar } from "./top-bar.tsx";
import { type FlowView, useFlowView } from "./use-flow-view.ts";
import { useIsNarrow } from "./use-narrow.ts";
import "../../panels/flow.css";

/** Parts that are not visible at first load at their first use: work on the canvas needs no outline. */
const Outline = later(async () => (await import("../../outline/outline.tsx")).Outline, <Skeleton rows={12} />);
const InsightBar = later(async () => (await import("./insight/insight-bar.tsx")).InsightBar);
const FindBar = laterWithField<Omit<FindBarProps, "first">>(async () => (await import("./find/find-bar.tsx")).FindBar);

/**
 * An open flow: its bar, the canvas or the outline, and one panel beside it, which becomes a sheet if there is no room.
 */
export function FlowEditor({ bot, onReopen }: { readonly bot: OpenBot; readonly onReopen: () => void }) {
  const panelTitles = useWords(panelNameWords);
  const { editor } = bot;
  const [shown, show] = useFlowView();
  const view = useMemo(() => placedView(bot), [bot]);
  const [panel, setPanel] = useState<PanelName | undefined>(() => firstPanel(shown));
  const [asked, setAsked] = useState<PanelRequest>({});
  const state = useMemo(createActState, [bot]);
  // The current search; undefined while there is none. Each turn requests it again.
  const [finding, setFinding] = useState<{ readonly text: string; readonly turn: number }>();
  const [isPublishing, setPublishing] = useState(false);
  const isNarrow = useIsNarrow();
  const aside = useRef<HTMLElement>(null);
  useEditing(bot);
  useDeepLink(bot);

  const isInsight = route.value.query.get("insight") === "on";
  const insight = useMemo((): InsightLayer => ({ marks: signal(new Map()), overlays: signal([]) }), [bot]);
  const switchInsight = () => go(addressWithInsight(!isInsight), { isReplacing: true });
  const step = useSteps(editor);
  useCommands("flow", {
    find: () => setFinding((known) => known ?? { text: "", turn: 0 }),
    switchView: () => show(shown === "canvas" ? "outline" : "canvas"),
  });

  const showPanel = (name: PanelName | undefined, from?: FlowThing): void => {
    // A second request for the same card counts as a new one.
    setAsked({ at: from && { ...from } });
    setPanel(name);
  };
  const showComments = (comments: CommentsAsked): void => {
    setAsked({ comments });
    setPanel("comments");
  };
  const lookAt = (place: CommentPlace): void => {
    if (place.kind === "place") view.camera.lookAt({ ...place, zoom: view.camera.state.value.zoom });
    if (place.kind !== "frame") return;
    const frame = framesIn(editor.store.draft.value).find(({ id }) => id === place.id);
    if (frame) view.camera.reveal(frame);
  };
  const comment: CommentAct = (act) => {
    if (act === "next") void showNext();
    else showComments({ at: selectedPlace(bot) ?? centerOf(view) });
  };
  const showNext = async (): Promise<void> => {
    const { choosePlace, nextThread } = await import("../../comments/index.tsx");
    const thread = await nextThread(bot, asked.comments?.threadId);
    if (!thread?.place) return showComments({});
    choosePlace(bot, thread.place);
    lookAt(thread.place);
    showComments({ threadId: thread.id });
  };
  usePalette(async () => {
    const { flowEntries } = await import("./flow-palette.ts");
    const onPublish = () => setPublishing(true);
    const onFind = (text: string) => setFinding((known) => ({ text, turn: (known?.turn ?? 0) + 1 }));
    return flowEntries(bot, {
      shown,
      onShow: show,
      onStep: step,
      onFind,
      onPublish,
      onPanel: showPanel,
      onInsight: switchInsight,
    });
  });
  const surroundings = useMemo(
    () => ({
      choose(beside: Beside, box: Box) {
        editor.selection.select(beside);
        view.camera.reveal(box, undefined, readable);
      },
      show() {
        const thing = editor.selection.focus.value;
        const card = cardOf(thing, editor.store);
        if (card !== undefined && view.element.value)
          view.camera.reveal(card, rowBoxOf(view, blockIdOf(thing)), readable);
      },
    }),
    [editor, view],
  );
  const focusPanel = (): void => {
    setPanel("block");
    const meant = editor.selection.now.value;
    const mayMoveTo = rememberFocus();
    // After the form is drawn, and before any further key.
    queueMicrotask(() => focusForm((form) => editor.selection.now.value === meant && mayMoveTo(form)));
  };
  /** Comments stay open and move to the pressed thing: their text belongs to a place. */
  const showForm = (): void => setPanel((known) => (known === "comments" ? known : "block"));
  const onLook = (place: CommentPlace): void => {
    // The sheet would cover the place.
    if (isNarrow) setPanel(undefined);
    lookAt(place);
  };
  const content = panel && <PanelContent name={panel} {...{ bot, asked, onReopen, onLook }} />;
  return (
    <div class="flow-screen">
      <TopBar
        bot={bot}
        panel={panel}
        onPanel={showPanel}
        shown={shown}
        onShow={show}
        onStep={step}
        onFind={() => setFinding(finding ? undefined : { text: "", turn: 0 })}
        onPublish={() => setPublishing(true)}
        isInsight={isInsight}
        onInsight={switchInsight}
      />
      {isOutdated.value && editor.readOnly.value !== "outdated" && <NewVersion />}
      <EditingNotices bot={bot} onReopen={onReopen} />
      {isInsight && <InsightBar {...{ bot, view }} layer={insight} onClose={switchInsight} />}
      <main class="flow-body" id="main" tabIndex={-1}>
        <div class="find-ground" data-ground>
          {shown === "canvas" ? (
            <ActingCanvas
              bot={bot}
              view={view}
              state={state}
              isNarrow={isNarrow}
              onAct={(act, from) => showPanel(act === "play" ? "preview" : "findings", from)}
              onComment={comment}
              onThread={(threadId) => showComments({ threadId })}
              onOpen={({ hasFocus }) => (hasFocus ? focusPanel() : isNarrow || showForm())}
              further={insight.overlays.value}
              {...(isInsight && { marks: insight.marks })}
            />
          ) : (
            <Outline
              {...{ bot, view, state, ...(isInsight && { marks: insight.marks }) }}
              onAct={(act, from) => showPanel(act === "play" ? "preview" : "findings", from)}
              onComment={comment}
              onOpen={focusPanel}
              onShow={showForm}
            />
          )}
          {finding && (
            <FindBar bot={bot} wanted={finding} surroundings={surroundings} onClose={() => setFinding(undefined)} />
          )}
        </div>
        {content && !isNarrow && (
          <aside
            class="flow-panel"
            id="flow-panel"
            ref={aside}
            style={widthOf(panel)}
            aria-label={titleOf(panel, panelTitles)}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || document.querySelector(":popover-open")) return;
              // Fields use Escape for their lists; rich text only for something that can be ignored.
              const isInText = event.target instanceof HTMLElement && event.target.isContentEditable;
              if (event.defaultPrevented && !isInText) return;
              document.querySelector<HTMLElement>(".canvas, .outline-row[tabindex='0']")?.focus();
            }}
          >
            <PanelEdge kind={kindOf(panel)} panelId="flow-panel" />
            <div class="flow-panel-scroll">{content}</div>
          </aside>
        )}
      </main>
      {content && isNarrow && (
        <Dialog
          shape="sheet"
          title={titleOf(panel, panelTitles)}
          backTo={activeRow}
          onClose={() => setPanel(undefined)}
        >
          {content}
        </Dialog>
      )}
      <CommentsReader bot={bot} />
      {isPublishing && <PublishDialog bot={bot} onClose={() => setPublishing(false)} />}
    </div>
  );
}

// The panel's edge exists only with a panel.
const PanelEdge = later(async () => (await import("./panel-edge.tsx")).PanelEdge);

function kindOf(panel: PanelName | undefined): PanelKind {
  return panel === "preview" ? "preview" : "form";
}

function widthOf(panel: PanelName | undefined) {
  const width = panelWidths.value[kindOf(panel)];
  return width === undefined ? {} : { width: `${width}px` };
}

/** The current address of the flow, with or without the figures. */
function addressWithInsight(isShown: boolean): string {
  // The address at the moment when the switch is pressed.
  const { path, query } = route.peek();
  const next = new URLSearchParams(query);
  if (isShown) next.set("insight", "on");
  else for (const name of ["insight", "time", "from", "to", "zone", "version"]) next.delete(name);
  return next.size === 0 ? path : `${path}?${next}`;
}

/** A view that begins with the thing in the address, otherwise where the flow was left. */
function placedView(bot: OpenBot) {
  const view = createView(bot);
  const kept = readPlace(bot.id);
  // The address says where the view begins: the screen is not drawn again for a later address.
  const at = route.peek().query.get("at") ?? "";
  view.collapsed.value = new Set(kept.folded);
  view.lookAt = { cardId: bot.editor.store.find.block(at)?.groupId ?? at, kept: kept.at, corner: kept.corner };
  return view;
}

/** The place of a comment when nothing is selected. */
function centerOf({ camera }: OpenView): CommentPlace {
  const { x, y, zoom } = camera.state.value;
  const { width, height } = camera.size.value;
  return { kind: "place", x: Math.round(x + width / 2 / zoom), y: Math.round(y + height / 2 / zoom) };
}

/** The smallest zoom for a found text, at which it can be read. */
const readable = 0.6;

/** Beside the outline there is room for the form; the canvas has the whole width until something is selected. */
function firstPanel(shown: FlowView): PanelName | undefined {
  // A later address opens no panel.
  const isWanted = shown === "outline" || route.peek().query.has("at");
  return isWanted && !matchMedia("(max-width: 900px)").matches ? "block" : undefined;
}

/** The row of the current selection, such as a block that was added since: a row is selected when it gets the focus. */
function activeRow(before: HTMLElement): HTMLElement | null {
  return before.matches(".outline-row") ? document.querySelector<HTMLElement>(".outline-row[tabindex='0']") : before;
}

/**
 * Focuses the first field of the form once it exists: a part of the form that loads on demand may take time, during
 * which the author may go elsewhere.
 */
function focusForm(isMeant: (form: Element | null) => boolean): void {
  const keys = holdKeys();
  const isOver = (): boolean => {
    const form = document.querySelector(".panel.is-block [data-panel-body]");
    if (!isMeant(form)) keys.release();
    else if (form !== null && isFirstFieldFocused(form)) keys.give();
    else return false;
    return true;
  };
  if (isOver()) return;
  const observer = new MutationObserver(() => isOver() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), mostFormMs);
}

/** A form that still has no field by then gets no focus later. */
const mostFormMs = 5_000;

function isFirstFieldFocused(form: Element): boolean {
  if (form.querySelector(".app-skeleton")) return false;
  const find = (selector: string) =>
    [...form.querySelectorAll<HTMLElement>(selector)].find((one) => one.checkVisibility());
  const field =
    find("input, textarea, select, [contenteditable='true'], [role='combobox']") ??
    find(".app-form button:not(:disabled, [aria-disabled='true'], .app-form-entry-head *)");
  field?.focus();
  return field !== undefined;
}

function titleOf(panel: PanelName | undefined, words: Readonly<Record<PanelName, string>>): string {
  return words[panel ?? "block"];
}

/** `?at=` names a group, a block or an event: it is selected. */
function useDeepLink({ editor }: OpenBot): void {
  const at = route.value.query.get("at");
  useEffect(() => {
    if (at === null) return;
    const { find } = editor.store;
    const kind = find.block(at) ? "block" : find.group(at) ? "group" : find.event(at) ? "event" : undefined;
    if (kind) editor.selection.select({ kind, id: at });
  }, [at]);
}
