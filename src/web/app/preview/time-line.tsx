import { useLayoutEffect, useRef } from "preact/hooks";
import { Badge, Icon } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import { useWords } from "../words/index.ts";
import type { PreviewedBot } from "./bot.ts";
import type { BrowserReply } from "./browser-reply.ts";
import type { FromOutside, Run } from "./run.ts";
import type { TracedEffect, TracedStep, TracedValue, TraceEntry } from "./trace.ts";

/** Lists the steps, block by block. A press on an entry shows its block. */
export function TimeLine({ run, bot }: { readonly run: Run; readonly bot: PreviewedBot }) {
  const words = useWords(previewWords);
  const steps = run.steps.value;
  const list = useRef<HTMLOListElement>(null);
  // Scrolls so that the newest step is visible.
  useLayoutEffect(() => {
    const place = list.current?.closest(".app-tab-panel");
    if (place) place.scrollTop = place.scrollHeight;
  }, [steps]);
  if (steps.length === 0) return <p class="preview-nothing">{words.noSteps}</p>;
  return (
    <ol class="preview-steps" ref={list}>
      {steps.map((step) => (
        <Step
          key={step.revision}
          step={step}
          said={run.replies.value.get(step.revision)}
          browser={run.browserReplies.value.get(step.revision)}
          came={run.cameFromOutside.value.get(step.revision)}
          bot={bot}
          isLast={step === steps.at(-1)}
        />
      ))}
    </ol>
  );
}

type StepProps = {
  readonly step: TracedStep;
  readonly said: string | undefined;
  readonly browser: BrowserReply | undefined;
  readonly came: FromOutside["kind"] | undefined;
  readonly bot: PreviewedBot;
  readonly isLast: boolean;
};

function Step({ step, said, browser, came, bot, isLast }: StepProps) {
  const words = useWords(previewWords);
  const { entries, revision, isCut, isEnded, waitsAt, wentBackTo } = step;
  const isSetting = entries.length > 0 && entries.every(({ kind }) => kind === "variable");
  const title =
    said !== undefined && said !== ""
      ? words.you({ text: said })
      : browser !== undefined
        ? browser.kind === "value"
          ? words.browserSaid({ text: browser.text })
          : words.browserAnswered
        : came !== undefined
          ? { time: words.timeOver, call: words.called }[came]
          : wentBackTo !== null
            ? words.wentBack
            : isSetting
              ? words.set
              : words.step({ number: revision });
  return (
    <li class="preview-step">
      <h3 dir="auto">{title}</h3>
      <ul>
        {browser?.kind === "request" && <BrowserLine reply={browser} />}
        {entries.map((entry, index) =>
          isReasonOf(browser, entry) ? null : (
            <Line
              key={index}
              entry={entry}
              bot={bot}
              isWaiting={isLast && isWaitingAt(entries, index, waitsAt)}
              isTextInstead={isTextInsteadAt(entries, index)}
              branch={branchAt(entries, index, bot)}
            />
          ),
        )}
      </ul>
      {isCut && <p class="preview-hint">{words.cut}</p>}
      {isEnded && isLast && (
        <p class="preview-hint">
          <Icon name="check" size={14} /> {words.ended}
        </p>
      )}
    </li>
  );
}

/** Whether the log entry repeats the reason that the line of the browser's request already shows. */
function isReasonOf(browser: BrowserReply | undefined, entry: TraceEntry): boolean {
  if (browser?.kind !== "request" || browser.failure === undefined) return false;
  return entry.kind === "log" && entry.details === browser.failure;
}

/** A request of the visitor's browser, with the reason if there is no response. */
function BrowserLine({ reply }: { readonly reply: Extract<BrowserReply, { kind: "request" }> }) {
  const words = useWords(previewWords);
  const { method, address, status, failure } = reply;
  const reasons: Readonly<Record<string, string>> = words.browserFailures;
  const isBad = failure !== undefined || status === undefined || status >= 400;
  return (
    <li class={`preview-line is-effect is-browser ${isBad ? "is-bad" : ""}`}>
      <span class="preview-call">
        <span class="preview-call-what">{method}</span> <span class="preview-call-where">{address}</span>
      </span>
      <span class="preview-call-came">
        <Badge
          label={failure === undefined ? (status ?? words.failed) : words.failed}
          tone={isBad ? "danger" : "good"}
        />
      </span>
      {failure !== undefined && <span class="preview-call-failure">{reasons[failure] ?? failure}</span>}
    </li>
  );
}

/**
 * Returns the branch that a block took in this step, according to the edge to the next block. Undefined if the edge is
 * unknown or begins at no item.
 */
function branchAt(entries: readonly TraceEntry[], index: number, bot: PreviewedBot): string | undefined {
  if (entries[index]?.kind !== "block") return undefined;
  const next = entries.slice(index + 1).find((entry) => entry.kind === "block");
  return next?.kind === "block" && next.edgeId !== undefined && next.botId === undefined
    ? bot.branchOf(next.edgeId)
    : undefined;
}

/** Whether the entry is the last visit of the block at which the chat waits. */
function isWaitingAt(entries: readonly TraceEntry[], index: number, waitsAt: string | null): boolean {
  const last = entries.findLastIndex((entry) => entry.kind === "block" && entry.blockId === waitsAt);
  return last === index;
}

/** Whether the block's computed value was converted to text, according to the following log entries. */
function isTextInsteadAt(entries: readonly TraceEntry[], index: number): boolean {
  const entry = entries[index];
  if (entry?.kind !== "block") return false;
  const after = entries.slice(index + 1);
  const next = after.findIndex(({ kind }) => kind === "block");
  return after
    .slice(0, next < 0 ? after.length : next)
    .some((one) => one.kind === "log" && one.textInsteadAt === entry.blockId);
}

type LineProps = {
  readonly entry: TraceEntry;
  readonly bot: PreviewedBot;
  readonly isWaiting: boolean;
  readonly isTextInstead: boolean;
  readonly branch: string | undefined;
};

function Line({ entry, bot, isWaiting, isTextInstead, branch }: LineProps) {
  const words = useWords(previewWords);
  switch (entry.kind) {
    case "reply":
      return null;
    case "block": {
      const isLinked = entry.botId !== undefined;
      const name = isLinked ? words.linked : (bot.nameOf(entry.blockId) ?? words.gone);
      const isThere = !isLinked && bot.nameOf(entry.blockId) !== undefined;
      return (
        <li class={`preview-line is-block ${isWaiting ? "is-waiting" : ""}`}>
          <button
            type="button"
            aria-disabled={isThere ? undefined : "true"}
            onClick={() => isThere && bot.select(entry.blockId)}
          >
            <span dir="auto">{name}</span>
            {branch !== undefined && <Badge label={<bdi>→ {branch}</bdi>} />}
            {isTextInstead && <Badge label={words.textInstead} tone="warning" />}
            {isWaiting && <Badge label={words.waitsHere} tone="accent" />}
          </button>
        </li>
      );
    }
    case "variable":
      return (
        <li class="preview-line is-variable" dir="auto">
          <code>{entry.name}</code> = <span>{valueText(entry.value, words.empty)}</span>
          {entry.isCut && " …"}
        </li>
      );
    case "effect":
      return (
        <li class="preview-line is-effect">
          <EffectLine effect={entry} />
        </li>
      );
    case "log":
      return (
        <li class={`preview-line is-log is-${entry.status}`} dir="auto">
          {entry.description}
        </li>
      );
    default:
      return entry satisfies never;
  }
}

/** A call as one line, with its kind, URL and result. */
export function EffectLine({ effect }: { readonly effect: TracedEffect }) {
  const words = useWords(previewWords);
  const { address, method, model, status, milliseconds, failure } = effect;
  const names: Readonly<Record<string, string>> = words.effects;
  const acts: Readonly<Record<string, string>> = effect.effect === "sheet" ? words.sheetActs : {};
  const isBad = failure !== undefined || (status !== undefined && status >= 400);
  return (
    <>
      <span class="preview-call">
        <span class="preview-call-what">{acts[method ?? ""] ?? method ?? names[effect.effect] ?? effect.effect}</span>{" "}
        <span class="preview-call-where">{address ?? model ?? ""}</span>
      </span>
      <span class="preview-call-came">
        <Badge label={status ?? (isBad ? words.failed : "OK")} tone={isBad ? "danger" : "good"} />{" "}
        <span>{words.milliseconds({ count: milliseconds })}</span>
      </span>
      {failure !== undefined && <span class="preview-call-failure">{failure}</span>}
    </>
  );
}

/** Returns a readable form of a value. The entries of a list are separated by commas. */
export function valueText(value: TracedValue, empty: string): string {
  if (value === null || value === "") return empty;
  return Array.isArray(value) ? value.map((element) => element ?? empty).join(", ") : value;
}
