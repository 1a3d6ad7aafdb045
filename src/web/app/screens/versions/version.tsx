import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { refresh, useQuery } from "../../api/index.ts";
import { Canvas, createView } from "../../canvas/index.tsx";
import type { OpenBot } from "../../editor/index.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Outline } from "../../outline/outline.tsx";
import { FailureState } from "../../page-parts/states.tsx";
import { PreviewPanel, type SuppliedFlow } from "../../preview/index.tsx";
import { readOnlyBot } from "../../reading/read-only-bot.ts";
import { go, Link, route } from "../../routing/router.ts";
import { Button, Dialog, Icon, IconButton, laterWithField, Menu, type MenuItem, Skeleton } from "../../ui/index.ts";
import flowWords from "../../words/en/flow.json";
import versionWords from "../../words/en/version.json";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { ThingPanel } from "../flow/thing-panel.tsx";
import { useFlowView } from "../flow/use-flow-view.ts";
import { useIsNarrow } from "../flow/use-narrow.ts";
import { VariablesPanel } from "../flow/variables/panel.tsx";
import { ViewSwitch } from "../flow/view-switch.tsx";
import { type Asked, VersionDialog } from "./dialogs.tsx";
import { isMissing, Missing } from "./missing.tsx";
import { PathLine } from "./path-line.tsx";
import { keyOf, type Publication, type ReadBot, readVersions, type Version } from "./service.ts";
import { Marks } from "./table.tsx";
import { useVersion } from "./use-two.ts";

type OneProps = { readonly botId: string; readonly number: string };

/** Shows a published version in the flow view without editing tools. */
export function OneVersion({ botId, number }: OneProps) {
  const words = useWords(versionWords);
  const { value: version, failure } = useVersion(botId, number);
  const draft = useVersion(botId, "draft");
  const bot = draft.value?.bot;
  if (!version && isMissing({ name: number, failure })) {
    return (
      <>
        <h1 class="visually-hidden">{words.title}</h1>
        <Missing {...{ botId, failure }} name={number} />
      </>
    );
  }
  const { publication, flow } = version ?? {};
  if (version && publication && flow && bot) return <Shown {...{ botId, version, publication, flow, bot }} />;
  return draft.failure && !bot ? (
    <FailureState failure={draft.failure} onRetry={() => refresh(keyOf(botId))} />
  ) : (
    <div class="compare-waiting">
      <Skeleton rows={8} />
    </div>
  );
}

type ShownProps = {
  readonly botId: string;
  readonly version: Version;
  readonly publication: Publication;
  readonly flow: SuppliedFlow;
  readonly bot: ReadBot;
};

function Shown({ botId, version, publication, flow, bot }: ShownProps) {
  const words = useWords(versionWords);
  const [asked, setAsked] = useState<Asked>();
  const list = useQuery(`${keyOf(botId)}/list`, () => readVersions(botId)).value;
  const open = useMemo(() => readOnlyBot(bot, version.draft), [version.draft, bot.id]);
  const { number, createdAt, publishedByName, note, isDraft } = publication;
  const live = list?.live;
  const at = `/bots/${botId}/versions`;
  const wanted = route.value.query.get("at");
  const resultId = route.value.query.get("result");
  useEffect(() => {
    if (wanted === null) return;
    const { find } = open.editor.store;
    const kind = find.block(wanted) ? "block" : find.group(wanted) ? "group" : find.event(wanted) ? "event" : undefined;
    if (kind) open.editor.selection.select({ kind, id: wanted });
  }, [open, wanted]);
  useEffect(() => () => void open.close(), [open]);
  const others = (list?.publications ?? []).filter((one) => one.number !== number);
  return (
    <div class="version">
      <header class="version-head">
        <Link to={at} class="versions-back" label={words.back} title={words.back}>
          <Icon name="arrow-left" size={16} />
        </Link>
        <div class="version-title">
          <h1>{words.version({ number })}</h1>
          <Marks publication={publication} canaryPercent={list?.canary?.percent} />
          <span class="version-facts">
            <time dateTime={createdAt} title={timeText(createdAt)}>
              {whenText(createdAt)}
            </time>
            {" · "}
            {publishedByName ?? words.somebody}
          </span>
        </div>
        <Acts {...{ at, publication, others }} mayWrite={list?.mayWrite === true} onAsk={setAsked} />
      </header>
      <ReadFlow bot={open} flow={flow} isAt={wanted !== null}>
        {resultId !== null && <PathLine key={resultId} bot={open} resultId={resultId} />}
        {note !== null && note !== "" && <Note key={note} text={note} />}
        <p class="version-why">{isDraft ? words.readOnlyDraft : words.readOnly}</p>
      </ReadFlow>
      {asked && <VersionDialog botId={botId} asked={asked} live={live} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

type ActsProps = {
  readonly at: string;
  readonly publication: Publication;
  readonly others: readonly Publication[];
  readonly mayWrite: boolean;
  readonly onAsk: (asked: Asked) => void;
};

/** The actions on a version. On a phone, all of them except publishing are in a menu. */
function Acts({ at, publication: { number, isCurrent }, others, mayWrite, onAsk }: ActsProps) {
  const words = useWords(versionWords);
  const isNarrow = useIsNarrow();
  const compare: readonly MenuItem[] = [
    {
      label: isNarrow ? words.compareDraft : words.draft,
      onPress: () => go(`${at}/${number}/compare/draft`),
    },
    ...others.slice(0, 20).map((one) => ({
      label: isNarrow
        ? words.compareVersion({ number: one.number })
        : one.isCurrent
          ? `${words.version({ number: one.number })} · ${words.live}`
          : words.version({ number: one.number }),
      onPress: () => go(`${at}/${Math.min(number, one.number)}/compare/${Math.max(number, one.number)}`),
    })),
  ];
  const bring = () => onAsk({ act: "bring", number });
  const publish = mayWrite && !isCurrent && (
    <Button label={words.publishAgain} kind="primary" icon="send" onPress={() => onAsk({ act: "publish", number })} />
  );
  if (isNarrow) {
    return (
      <div class="version-acts">
        {publish}
        <Menu
          label={words.more}
          icon="ellipsis"
          isIconOnly
          kind="quiet"
          items={() => [
            ...(mayWrite
              ? [{ label: words.bring, icon: "rotate-ccw", onPress: bring }, { kind: "line" } as const]
              : []),
            ...compare.map((item) => ("label" in item ? { ...item, icon: "git-compare" } : item)),
          ]}
        />
      </div>
    );
  }
  return (
    <div class="version-acts">
      <Menu label={words.compareWith} icon="git-compare" items={() => compare} />
      {mayWrite && <Button label={words.bring} icon="rotate-ccw" onPress={bring} />}
      {publish}
    </div>
  );
}

/** The author's description of a version, shortened to one line and expandable. */
function Note({ text }: { readonly text: string }) {
  const words = useWords(versionWords);
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > mostShort || text.includes("\n");
  return (
    <div class={`version-note ${isLong && !isWhole ? "is-cut" : ""}`}>
      <p dir="auto">{text}</p>
      {isLong && (
        <Button
          label={isWhole ? words.shortNote : words.wholeNote}
          kind="quiet"
          size="s"
          attributes={{ "aria-expanded": isWhole ? "true" : "false" }}
          onPress={() => setWhole(!isWhole)}
        />
      )}
    </div>
  );
}

const mostShort = 90;

const FindBar = laterWithField<{ readonly bot: OpenBot; readonly onClose: () => void }>(
  async () => (await import("../flow/find/find-bar.tsx")).FindBar,
);

type Panel = "options" | "variables" | "preview";

type ReadFlowProps = {
  readonly bot: OpenBot;
  readonly flow: SuppliedFlow;
  /** Whether the view begins at a part of the flow. */
  readonly isAt: boolean;
  /** The description beside the tools of the flow. */
  readonly children: ComponentChildren;
};

/**
 * Shows a read-only flow as in the editor, but without editing tools: the canvas or the outline, search, variables,
 * forms, and a preview.
 */
function ReadFlow({ bot, flow, isAt, children }: ReadFlowProps) {
  const words = useWords(versionWords);
  const { bar } = useWords(flowWords);
  const isNarrow = useIsNarrow();
  const [shown, show] = useFlowView();
  const view = useMemo(() => createView(bot), [bot]);
  const [panel, setPanel] = useState<Panel | undefined>(
    !isNarrow && (shown === "outline" || isAt) ? "options" : undefined,
  );
  const [isFinding, setFinding] = useState(false);
  const tried = useMemo(() => ({ ...bot, flow }), [bot, flow]);
  const [asked, setAsked] = useState({});
  const toggle = (name: Panel): void => {
    setAsked({});
    setPanel(panel === name ? undefined : name);
  };
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
      preview: <PreviewPanel open={tried} asked={asked} onMark={bot.editor.mark} />,
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
