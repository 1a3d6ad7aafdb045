import { batch } from "@preact/signals";
import { FlaskConical, Locate } from "lucide";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { httpOriginsOf } from "../../../core/flow/client-requests.ts";
import { isObject, listAt } from "../../conversation/read.ts";
import { noteTried } from "../session/tried.ts";
import { addIcons, announce, Badge, Banner, Button, laterWithField, Skeleton, Tabs } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import { Bar } from "./bar.tsx";
import type { PreviewedBot, PreviewedDraft } from "./bot.ts";
import { type Dressing, PreviewFrame } from "./frame.tsx";
import { GoesOn } from "./goes-on.tsx";
import type { KeepTestProps } from "./keep-test.tsx";
import type { Run, ShownChat } from "./run.ts";
import type { StartPlace } from "./service.ts";
import type { Sitting, Start } from "./sitting.ts";
import { Stage } from "./stage.tsx";
import { EffectLine, TimeLine } from "./time-line.tsx";
import { callsIn, type TraceEntry, walkedIn } from "./trace.ts";
import { VariableList } from "./variable-list.tsx";
import "./view.css";
import "./inspector.css";

const KeepTest = laterWithField<Omit<KeepTestProps, "first">>(async () => (await import("./keep-test.tsx")).KeepTest);

addIcons({ "flask-conical": FlaskConical, locate: Locate });

export type PreviewViewProps = {
  readonly bot: PreviewedBot;
  readonly sitting: Sitting;
  readonly chatAddress: string;
  /** A new object restarts the preview. */
  readonly start: Start;
  /** The selected position in the editor. */
  readonly here?: StartPlace | undefined;
};

/** The preview of a bot: the chat as visitors see it, and the events of the chat beside it. */
export function PreviewView({ bot, sitting, chatAddress, start: wanted, here }: PreviewViewProps) {
  const words = useWords(previewWords);
  const { run } = sitting;
  const [place, variables, look] = [sitting.place.value, sitting.variables.value, sitting.look.value];
  const note = sitting.note.value;
  const [isKeeping, setKeeping] = useState(false);
  const { isStale, settle } = useFreshness(sitting, bot, () => void repeat());
  const start = (next: StartPlace | undefined, given: Readonly<Record<string, string>>) => {
    batch(() => {
      sitting.place.value = next;
      sitting.variables.value = given;
      sitting.note.value = undefined;
    });
    settle();
    void run.start({ startFrom: next, variables: given });
  };
  const repeat = async (replies?: Start["replies"]) => {
    settle();
    const { count, isWhole } = await run.again(replies);
    const outcome = isWhole ? (count > 0 ? words.repeated({ count }) : undefined) : words.repeatStopped;
    sitting.note.value = isWhole ? undefined : outcome;
    if (outcome !== undefined) announce(outcome);
  };
  useStart(sitting, {
    ...{ bot, wanted },
    start: () => (wanted.replies ? void repeat(wanted.replies) : start(wanted.place, variables)),
  });
  useEffect(() => {
    bot.mark(walkedIn(run.steps.value));
  }, [bot, run.steps.value]);
  useEffect(() => () => bot.mark(undefined), [bot]);
  const isTried = run.isAnswered.value && look.size === "phone";
  useEffect(() => {
    if (isTried) noteTried(bot.botId);
  }, [isTried]);
  const state = run.state.value;
  const shown = run.shown.value;
  const dressing = useDressing(bot, shown?.number);
  const named = useMemo(() => shown && withName(shown, bot.name()), [shown]);
  return (
    <div class="preview">
      <Bar
        {...{ bot, here, variables, look }}
        from={place}
        isBusy={state === "starting"}
        mayRepeat={run.isAnswered.value}
        onStart={start}
        onAgain={() => void repeat()}
        onKeep={bot.mayKeep() ? () => setKeeping(true) : undefined}
        isBesideFlow={bot.isMarked}
        onLook={(next) => {
          sitting.look.value = next;
        }}
      />
      {isStale && (
        <Banner
          text={
            <>
              {words.againAsk}{" "}
              {[...new Set(run.calls.value.map(({ address, model, effect }) => address ?? model ?? effect))].join(", ")}
            </>
          }
          action={<Button label={words.again} size="s" onPress={() => void repeat()} />}
        />
      )}
      {note !== undefined && <Banner text={note} />}
      {isKeeping && <KeepTest botId={bot.botId} blockOf={bot.blockOf} run={run} onClose={() => setKeeping(false)} />}
      <div class="preview-halves">
        <Stage kind={look.kind} size={look.size}>
          {state === "failed" ? (
            <Failure run={run} onAgain={() => start(place, variables)} />
          ) : named ? (
            <PreviewFrame
              shown={named}
              hear={run.hear}
              dressing={dressing}
              chatAddress={chatAddress}
              title={words.frame}
              httpOrigins={calledFrom(bot.draft.value.groups)}
            />
          ) : (
            <Waiting isSaved={bot.saved.value !== undefined} />
          )}
        </Stage>
        <Inspector run={run} bot={bot} />
      </div>
    </div>
  );
}

function Waiting({ isSaved }: { isSaved: boolean }) {
  const words = useWords(previewWords);
  return (
    <div class="preview-waiting">
      {isSaved ? <Skeleton label={words.starting} /> : <p class="preview-nothing">{words.notSaved}</p>}
    </div>
  );
}

function Failure({ run, onAgain }: { run: Run; onAgain: () => void }) {
  const words = useWords(previewWords);
  const last = run.failures.value.at(-1);
  return (
    <div class="preview-waiting">
      <Banner
        text={last?.message}
        tone="danger"
        isAlert
        title={last?.code}
        action={<Button label={words.tryAgain} onPress={onAgain} />}
      />
    </div>
  );
}

/** Adds the bot's name, which visitors see above the bot's messages, because responses do not contain the name. */
function withName(shown: ShownChat, name: string): ShownChat {
  const { chat } = shown;
  if (!isObject(chat)) return shown;
  const key = "bot" in chat ? "bot" : "typebot";
  const bot = chat[key];
  return isObject(bot) ? { ...shown, chat: { ...chat, [key]: { name, ...bot } } } : shown;
}

/** Returns the plain HTTP origins that the chat page may call. */
function calledFrom(groups: unknown): string[] {
  return httpOriginsOf([{ blocks: listAt({ groups }, "groups").flatMap((group) => listAt(group, "blocks")) }]);
}

/**
 * Starts the preview once per request, as soon as the service has the draft. If the panel was moved to another part of
 * the screen, its chat continues.
 */
function useStart(
  sitting: Sitting,
  { bot, wanted, start }: { readonly bot: PreviewedBot; readonly wanted: Start; readonly start: () => void },
): void {
  const isSaved = bot.saved.value !== undefined;
  useLayoutEffect(() => {
    if (sitting.begun === wanted) void sitting.run.goOnHere();
  }, [sitting]);
  useEffect(() => {
    if (sitting.begun === wanted || !isSaved) return;
    sitting.begun = wanted;
    start();
  }, [isSaved, wanted]);
}

/**
 * Returns the edited theme and settings, so that edits are visible immediately. Undefined if neither was edited since
 * the chat began, because the service's version then applies.
 */
function useDressing(bot: PreviewedBot, chat: number | undefined): Dressing | undefined {
  const { version, theme, settings } = bot.draft.value;
  const name = bot.name();
  const begun = useRef({ chat, theme, settings });
  if (begun.current.chat !== chat) begun.current = { chat, theme, settings };
  const isSame = begun.current.theme === theme && begun.current.settings === settings;
  return useMemo(
    () => (isSame ? undefined : { bot: { version, name, theme, settings }, scheme: undefined }),
    [isSame, version, name, theme, settings],
  );
}

/**
 * Restarts the chat and repeats its replies after an edit was saved. If this would call other servers again, or the
 * chat is still starting, `isStale` is set instead.
 */
function useFreshness(sitting: Sitting, bot: PreviewedBot, repeat: () => void) {
  const { run } = sitting;
  const [isStale, setStale] = useState(false);
  const saved = bot.saved.value;
  useEffect(() => {
    if (saved === undefined || sitting.of === undefined || saved === sitting.of.saved) return undefined;
    // The page applies changes of the theme by itself.
    if (isSameFlow(sitting.of.draft, bot.draft.value)) return undefined;
    const timer = setTimeout(() => {
      const mayRepeat = run.calls.value.length === 0 && run.state.value !== "starting";
      if (mayRepeat) repeat();
      else setStale(true);
    }, editPauseMs);
    return () => clearTimeout(timer);
  }, [saved]);
  return {
    isStale,
    /** Records that the preview now shows the saved draft. */
    settle() {
      sitting.of = { saved: bot.saved.value, draft: bot.draft.value };
      setStale(false);
    },
  };
}

/** Whether two drafts have the same flow and the same settings. */
function isSameFlow(one: PreviewedDraft, other: PreviewedDraft): boolean {
  return (["events", "groups", "edges", "variables", "settings"] as const).every((key) => one[key] === other[key]);
}

/** The pause in typing after which the chat restarts. */
const editPauseMs = 600;

/** The details of the chat: its steps, variables, calls and log. */
function Inspector({ run, bot }: { readonly run: Run; readonly bot: PreviewedBot }) {
  const words = useWords(previewWords);
  const [tab, setTab] = useState("steps");
  const calls = callsIn(run.steps.value);
  const logs = run.steps.value.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === "log" ? [entry] : [])),
  );
  const problems = logs.filter(({ status }) => status === "error").length + run.failures.value.length;
  const tabs = [
    { id: "steps", label: words.timeLine },
    { id: "variables", label: words.variables },
    { id: "calls", label: words.calls, ...(calls.length > 0 && { badge: <Badge label={calls.length} /> }) },
    { id: "log", label: words.log, ...(problems > 0 && { badge: <Badge label={problems} tone="danger" /> }) },
  ];
  return (
    <section class="preview-inspector" aria-label={words.inspector} tabIndex={-1}>
      <h2 class="visually-hidden">{words.inspector}</h2>
      <Tabs label={words.inspector} tabs={tabs} selected={tab} onSelect={setTab}>
        {tab === "steps" && <TimeLine run={run} bot={bot} />}
        {tab === "variables" && <VariableList run={run} bot={bot} />}
        {tab === "calls" && <Calls calls={calls} bot={bot} />}
        {tab === "log" && <Log run={run} logs={logs} />}
      </Tabs>
      <GoesOn key={run.steps.value.at(-1)?.revision} run={run} />
    </section>
  );
}

function Calls({ calls, bot }: { calls: ReturnType<typeof callsIn>; bot: PreviewedBot }) {
  const words = useWords(previewWords);
  if (calls.length === 0) return <p class="preview-nothing">{words.noCalls}</p>;
  return (
    <ul class="preview-calls">
      {calls.map((call, index) => {
        const name = bot.nameOf(call.blockId);
        return (
          <li key={index} class="preview-line is-effect">
            {name !== undefined && (
              <button type="button" class="preview-call-block" onClick={() => bot.select(call.blockId)}>
                {name}
              </button>
            )}
            <EffectLine effect={call} />
          </li>
        );
      })}
    </ul>
  );
}

type Logged = Extract<TraceEntry, { kind: "log" }>;

function Log({ run, logs }: { run: Run; logs: readonly Logged[] }) {
  const words = useWords(previewWords);
  const failures = run.failures.value;
  if (logs.length + failures.length === 0) return <p class="preview-nothing">{words.noLog}</p>;
  return (
    <ul class="preview-log">
      {failures.map(({ code, message, requestId, isInBrowser }, index) => (
        <li key={index}>
          <Badge label={isInBrowser ? words.clientError : code} tone="danger" icon="circle-alert" />
          <p dir="auto">{message}</p>
          {requestId !== undefined && <p class="preview-hint">{words.requestId({ id: requestId })}</p>}
        </li>
      ))}
      {logs.map(({ status, description, details, context }, index) => (
        <li key={index + failures.length}>
          <Badge label={status} tone={toneOf(status)} icon={status === "error" ? "circle-alert" : undefined} />
          <p dir="auto">{context === undefined ? description : `${context}: ${description}`}</p>
          {details !== undefined && <pre dir="auto">{details}</pre>}
        </li>
      ))}
    </ul>
  );
}

function toneOf(status: string): "danger" | "warning" | "good" | "neutral" {
  if (status === "error") return "danger";
  if (status === "warning") return "warning";
  return status === "success" ? "good" : "neutral";
}
