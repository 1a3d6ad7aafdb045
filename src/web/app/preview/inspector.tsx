import { useState } from "preact/hooks";
import { Badge, Tabs } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { previewWords } from "../words/preview.ts";
import type { PreviewedBot } from "./bot.ts";
import type { Run } from "./run.ts";
import { EffectLine, TimeLine } from "./time-line.tsx";
import { callsIn, type TraceEntry } from "./trace.ts";
import { VariableList } from "./variable-list.tsx";
import "./inspector.css";

/** The events of the chat: its steps, its variables, its calls, its log. */
export function Inspector({ run, bot }: { readonly run: Run; readonly bot: PreviewedBot }) {
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
    <section class="preview-inspector" aria-label={words.inspector}>
      <h2 class="visually-hidden">{words.inspector}</h2>
      <Tabs label={words.inspector} tabs={tabs} selected={tab} onSelect={setTab}>
        {tab === "steps" && <TimeLine run={run} bot={bot} />}
        {tab === "variables" && <VariableList run={run} bot={bot} />}
        {tab === "calls" && <Calls calls={calls} bot={bot} />}
        {tab === "log" && <Log run={run} logs={logs} />}
      </Tabs>
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
          {requestId !== undefined && <p class="preview-hint">{words.requestId(requestId)}</p>}
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
