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

/** These parts are hidden at first, so each of them is loaded at its first use. */
const Outline = later(async () => (await import("../../outline/outline.tsx")).Outline, <Skeleton rows={12} />);
const InsightBar = later(async () => (await import("./insight/insight-bar.tsx")).InsightBar);
const FindBar = laterWithField<Omit<FindBarProps, "first">>(async () => (await import("./find/find-bar.tsx")).FindBar);

/**
 * The editor of an open flow, with its bar, the canvas or the outline, and a panel. In a narrow window, the panel is a
 * sheet.
 */
export function FlowEditor({ bot, onReopen }: { readonly bot: OpenBot; readonly onReopen: () => void }) {
  const panelTitles = useWords(panelNameWords);
  const { editor } = bot;
  const [shown, show] = useFlowView();
  const view = useMemo(() => placedView(bot), [bot]);
  const [panel, setPanel] = useState<PanelName | undefined>(() => firstPanel(shown));
  const [asked, setAsked] = useState<PanelRequest>({});
  const state = useMemo(createActState, [bot]);
  // The current search; undefined if the search is closed. Each `turn` is a new request.
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
    // A copy, so that a second request for the same card counts as a new request.
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
    // Waits until the form is rendered, but runs before the next key event.
    queueMicrotask(() => focusForm((form) => editor.selection.now.value === meant && mayMoveTo(form)));
  };
  /**
   * Opens the form of the selection. If the comments panel is open, it stays open and shows the comments of the
   * selection.
   */
  const showForm = (): void => setPanel((known) => (known === "comments" ? known : "block"));
  const onLook = (place: CommentPlace): void => {
    // The sheet would cover the object on the canvas.
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
              // A field that has handled Escape, for example to close a list, keeps the focus. Rich text handles Escape
              // without a visible effect, so this handling is ignored.
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

// The resizable edge of the panel is loaded with the first panel.
const PanelEdge = later(async () => (await import("./panel-edge.tsx")).PanelEdge);

function kindOf(panel: PanelName | undefined): PanelKind {
  return panel === "preview" ? "preview" : "form";
}

function widthOf(panel: PanelName | undefined) {
  const width = panelWidths.value[kindOf(panel)];
  return width === undefined ? {} : { width: `${width}px` };
}

/** Returns the current URL of the flow, with or without the figures. */
function addressWithInsight(isShown: boolean): string {
  // Read without a subscription, when the switch is pressed.
  const { path, query } = route.peek();
  const next = new URLSearchParams(query);
  if (isShown) next.set("insight", "on");
  else for (const name of ["insight", "time", "from", "to", "zone", "version"]) next.delete(name);
  return next.size === 0 ? path : `${path}?${next}`;
}

/** Creates a view that starts at the object in the URL, or otherwise at the stored position. */
function placedView(bot: OpenBot) {
  const view = createView(bot);
  const kept = readPlace(bot.id);
  // Read without a subscription, because the URL only determines the initial view.
  const at = route.peek().query.get("at") ?? "";
  view.collapsed.value = new Set(kept.folded);
  view.lookAt = { cardId: bot.editor.store.find.block(at)?.groupId ?? at, kept: kept.at, corner: kept.corner };
  return view;
}

/** Returns the middle of the view, as the position of a comment when nothing is selected. */
function centerOf({ camera }: OpenView): CommentPlace {
  const { x, y, zoom } = camera.state.value;
  const { width, height } = camera.size.value;
  return { kind: "place", x: Math.round(x + width / 2 / zoom), y: Math.round(y + height / 2 / zoom) };
}

/** The lowest zoom for a search match, at which the text is readable. */
const readable = 0.6;

/**
 * Returns the panel that is open at first, if any. The outline leaves room for the form. The canvas has the whole width
 * until something is selected.
 */
function firstPanel(shown: FlowView): PanelName | undefined {
  // Read without a subscription, because a later URL opens no panel.
  const isWanted = shown === "outline" || route.peek().query.has("at");
  return isWanted && !matchMedia("(max-width: 900px)").matches ? "block" : undefined;
}

/**
 * Returns the row of the current selection, such as a block that was just added. For an element that is not a row,
 * returns the element itself.
 */
function activeRow(before: HTMLElement): HTMLElement | null {
  return before.matches(".outline-row") ? document.querySelector<HTMLElement>(".outline-row[tabindex='0']") : before;
}

/**
 * Focuses the first field of the form once the field exists. A part of the form may still be loading, and the author
 * may move the focus elsewhere in the meantime.
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

/** The time in ms after which a form without a field no longer gets the focus. */
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

/** Selects the group, block or event that the `at` parameter of the URL names. */
function useDeepLink({ editor }: OpenBot): void {
  const at = route.value.query.get("at");
  useEffect(() => {
    if (at === null) return;
    const { find } = editor.store;
    const kind = find.block(at) ? "block" : find.group(at) ? "group" : find.event(at) ? "event" : undefined;
    if (kind) editor.selection.select({ kind, id: at });
  }, [at]);
}
