import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { httpOriginsOf } from "../../../core/flow/client-requests.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import type { OpenBot } from "../editor/index.ts";
import type { FormContext } from "../forms/index.ts";
import type { BrowserReply } from "../preview/browser-reply.ts";
import { PreviewFrame } from "../preview/frame.tsx";
import { createRun, type Run } from "../preview/run.ts";
import { previewServiceFor, type SuppliedFlow } from "../preview/service.ts";
import { valueText } from "../preview/time-line.tsx";
import { variablesIn } from "../preview/trace.ts";
import { useChatAddress } from "../session/service-pages.ts";
import { announce, Badge, Banner, Button } from "../ui/index.ts";
import previewWords from "../words/en/preview.json";
import requestTrialWords from "../words/en/request-trial.json";
import { useWords } from "../words/index.ts";
import { Answer } from "./answer.tsx";

export type BrowserTrialProps = {
  readonly bot: OpenBot;
  readonly block: JsonObject;
  readonly context: FormContext;
  /** Returns the values of variables by name. */
  readonly values: () => Readonly<Record<string, string>>;
  readonly onKeep: (bodyPath: string, variableId: string) => void;
  /** The number of presses on the send button beside the URL. If absent, the trial has its own button. */
  readonly asked: number | undefined;
  /** Returns whether the send button was pressed since the last handled press, and marks the press as handled. */
  readonly takesPress: () => boolean;
};

/**
 * Sends a request as a visitor's browser does. A preview of only this block runs in an invisible frame, whose chat page
 * sends the request and reports the response.
 */
export function BrowserTrial({ bot, block, context, values, onKeep, asked, takesPress }: BrowserTrialProps) {
  const words = useWords(requestTrialWords);
  const chatAddress = useChatAddress();
  const [run, setRun] = useState<Run>();
  const shown = run?.shown.value;
  const reply = run && [...run.browserReplies.value.values()][0];
  const failure = run?.state.value === "failed" ? run.failures.value.at(-1)?.message : undefined;
  // The step of the browser's reply exists before the reply is recorded. The trial is busy until then.
  const isPassed = run?.state.value === "open" && run.steps.value.at(-1)?.waitsAt === afterId && reply === undefined;
  const isBusy = run !== undefined && reply === undefined && failure === undefined && !isPassed;
  const httpOrigins = useMemo(() => httpOriginsOf([{ blocks: [block] }]), [run]);
  const send = () => {
    const next = createRun(previewServiceFor(bot.id, flowOfOne(block, context.variables.value)));
    setRun(next);
    void next.start({ startFrom: undefined, variables: values() });
  };
  useEffect(() => {
    if (takesPress() && !isBusy) send();
  }, [asked]);
  return (
    <>
      <div class="trial-acts">
        {asked === undefined && (
          <Button
            label={run ? words.again : words.send}
            icon="send"
            busy={isBusy}
            isDisabled={context.isReadOnly || chatAddress === undefined}
            onPress={send}
          />
        )}
        {isBusy && (
          <Button
            label={words.stop}
            kind="quiet"
            onPress={() => {
              setRun(undefined);
              announce(words.stopped);
            }}
          />
        )}
      </div>
      {shown && isBusy && chatAddress !== undefined && (
        <div class="trial-frame" inert aria-hidden="true">
          <PreviewFrame {...{ shown, chatAddress, httpOrigins }} hear={run.hear} title={words.title} />
        </div>
      )}
      {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
      {isPassed && <Banner text={words.failures["block.no_address"]} tone="danger" isAlert />}
      {run && reply?.kind === "request" && <Replied {...{ run, reply, context, onKeep }} />}
    </>
  );
}

type RepliedProps = Pick<BrowserTrialProps, "context" | "onKeep"> & {
  readonly run: Run;
  readonly reply: Extract<BrowserReply, { kind: "request" }>;
};

function Replied({ run, reply, context, onKeep }: RepliedProps) {
  const words = useWords(requestTrialWords);
  const { browserFailures, empty } = useWords(previewWords);
  const { status, failure, data, method, address } = reply;
  const reasons: Readonly<Record<string, string>> = browserFailures;
  const section = useRef<HTMLElement>(null);
  // Scrolls the response into view, because it may be below the visible part of the panel.
  useLayoutEffect(() => section.current?.scrollIntoView({ block: "nearest" }), [run]);
  const written = variablesIn(run.steps.value).filter(({ isChanged }) => isChanged);
  return (
    <section class="trial-shown" aria-label={words.answer} ref={section}>
      {failure !== undefined ? (
        <Banner text={reasons[failure] ?? failure} tone="warning" title={words.noneForBrowser} isAlert />
      ) : (
        <>
          {status !== undefined && (
            <p class="trial-status" role="status">
              <Badge
                label={words.status({ code: status })}
                tone={status < 300 ? "good" : status < 400 ? "neutral" : "danger"}
              />
            </p>
          )}
          <Answer data={data} isCut={false} context={context} onKeep={onKeep} />
        </>
      )}
      {written.length > 0 && (
        <div>
          <h3 class="trial-head">{words.written}</h3>
          <dl class="trial-pairs">
            {written.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{valueText(value, empty)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <details>
        <summary class="trial-head">{words.sent}</summary>
        <pre class="trial-curl" dir="ltr">{`${method} ${address}`}</pre>
      </details>
    </section>
  );
}

/**
 * The id of the input after the block. If the run waits at this input without a reply of the browser, no request was
 * sent.
 */
const afterId = "after";

/**
 * Returns a flow with the block and a question after it, because the variables of a chat are lost once the chat has
 * ended.
 */
function flowOfOne(
  block: JsonObject,
  variables: readonly { readonly id: string; readonly name: string }[],
): SuppliedFlow {
  const { outgoingEdgeId: _, ...rest } = block;
  const blocks = [rest, { id: afterId, type: "text input" }];
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    groups: [{ id: "group", title: "", blocks: JSON.parse(JSON.stringify(blocks)) }],
    edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "group" } }],
    variables: variables.map(({ id, name }) => ({ id, name })),
    theme: {},
    settings: { typingEmulation: { enabled: false } },
  };
}
