import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type JsonObject, valueAt } from "../../../core/interpreter/flow.ts";
import { type Answer as Answered, ApiFailure, call } from "../api/index.ts";
import { setInBlock } from "../editor/commands/blocks.ts";
import { newId } from "../editor/ids.ts";
import type { OpenBot } from "../editor/index.ts";
import type { FormContext } from "../forms/index.ts";
import { copyText } from "../page-parts/save-and-copy.ts";
import { announce, Badge, Banner, Button, TextField } from "../ui/index.ts";
import requestTrialWords from "../words/en/request-trial.json";
import { useWords, type WordsOf } from "../words/index.ts";
import { Answer } from "./answer.tsx";
import { BrowserTrial } from "./browser-trial.tsx";
import { curlOf } from "./curl.ts";
import { keptValues, mappingFor, variablesOf } from "./tested-values.ts";
import "./trial.css";

type Tried = Answered<"POST /api/v1/bots/:botId/blocks/:blockId/testCall">;

export type RequestTrialProps = {
  readonly bot: OpenBot;
  readonly blockId: string;
  readonly block: JsonObject;
  readonly context: FormContext;
  /** The number of presses on the send button beside the URL. If absent, the trial has its own button. */
  readonly asked?: number | undefined;
  /** Whether the block sends an e-mail. The trial sends it to the author. */
  readonly isMail?: boolean | undefined;
};

/**
 * Sends a block's request immediately and shows the response. The service builds the request from the draft, as in a
 * chat.
 */
export function RequestTrial({ bot, blockId, block, context, asked, isMail = false }: RequestTrialProps) {
  const words = useWords(requestTrialWords);
  const { editor } = bot;
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [tried, setTried] = useState<Tried>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  /** Whether the service requires a confirmation because the block may change something. */
  const [isAsked, setAsked] = useState(false);
  const variables = context.variables.value;
  const kept = keptValues(block, variables);
  const needed = variablesOf(block, variables);
  const isRequest = valueAt(block, "options", "webhook") !== undefined;
  const isBrowsers = isRequest && valueAt(block, "options", "isExecutedOnClient") === true;

  const send = async (mayWrite = false): Promise<void> => {
    setBusy(true);
    setAsked(false);
    setFailure(undefined);
    try {
      await editor.copy.flush();
      if (editor.copy.pending().length > 0) return fail(words.notSaved);
      const answer = await call("POST /api/v1/bots/:botId/blocks/:blockId/testCall", {
        path: { botId: bot.id, blockId },
        body: { variables: Object.fromEntries(typed), ...(mayWrite && { mayWrite }) },
      });
      setTried(answer);
      const { outcome, statusCode, durationMs } = answer;
      announce(
        isMail
          ? mailSentence(answer, words)
          : outcome !== "answered"
            ? words.outcomes[outcome]
            : statusCode === null
              ? words.answeredAfter({ ms: durationMs })
              : words.answered({ code: statusCode, ms: durationMs }),
      );
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.code === "block.writes") {
        setAsked(true);
        return announce(words.writes, "assertive");
      }
      const said: Readonly<Record<string, string>> = words.failures;
      fail(said[error.code] ?? error.message);
    } finally {
      setBusy(false);
    }
  };
  // Each press is handled only once, even if the block switches between a request of the service and a request of the
  // browser.
  const taken = useRef(0);
  const takesPress = (): boolean => {
    const isNew = asked !== undefined && asked > taken.current;
    if (isNew) taken.current = asked;
    return isNew;
  };
  useEffect(() => {
    if (!isBrowsers && takesPress() && !isBusy) void send();
  }, [asked]);
  const fail = (sentence: string): void => {
    setFailure(sentence);
    announce(sentence, "assertive");
  };
  const keep = (bodyPath: string, variableId: string): void => {
    const now = editor.store.find.block(blockId)?.block ?? block;
    const done = editor.run(setInBlock, { blockId, ...mappingFor(now, { variableId, bodyPath, newId: newId() }) });
    const name = context.variables.value.find(({ id }) => id === variableId)?.name ?? "";
    announce(done.kind === "done" ? words.kept({ code: bodyPath, name }) : done.sentence);
  };
  return (
    <div class="trial">
      {isMail && <p class="trial-note">{words.mailHelp}</p>}
      {!isMail && (asked === undefined || !tried) && (
        <p class="trial-note">
          {isBrowsers ? words.helpOfBrowsers : asked === undefined && !isRequest ? words.helpOfCalls : words.help}
        </p>
      )}
      {needed.length > 0 && (
        <fieldset class="app-form-section">
          <legend>{words.values}</legend>
          {needed.map(({ name }) => (
            <TextField
              key={name}
              label={name}
              value={typed.get(name) ?? kept.get(name) ?? ""}
              onInput={(value) => setTyped(new Map([...typed, [name, value]]))}
            />
          ))}
        </fieldset>
      )}
      {asked !== undefined && isBusy && <p class="trial-note">{words.sending}</p>}
      {isBrowsers ? (
        <BrowserTrial
          {...{ bot, block, context, asked, takesPress }}
          values={() => Object.fromEntries([...kept, ...typed])}
          onKeep={keep}
        />
      ) : (
        <div hidden={asked !== undefined}>
          <Button
            label={
              isMail
                ? words.sendMe
                : isRequest
                  ? tried
                    ? words.again
                    : words.send
                  : tried
                    ? words.callAgain
                    : words.call
            }
            icon="send"
            busy={isBusy}
            isDisabled={context.isReadOnly}
            onPress={() => void send()}
          />
        </div>
      )}
      {isAsked && (
        <Banner
          text={words.writes}
          tone="warning"
          action={<Button label={words.mayWrite} size="s" onPress={() => void send(true)} />}
        />
      )}
      {failure !== undefined && <Banner text={failure} tone="danger" />}
      {tried && isMail && (
        <Banner text={mailSentence(tried, words)} tone={tried.outcome === "answered" ? "good" : "danger"} />
      )}
      {tried && !isBrowsers && !isMail && <Shown tried={tried} context={context} onKeep={keep} />}
    </div>
  );
}

/** Returns the result of sending the e-mail to the author, or the mail server's reason for refusing it. */
function mailSentence({ outcome, request, logs }: Tried, words: WordsOf<"requestTrial">): string {
  if (outcome === "answered") return words.mailSent({ address: request.url });
  return words.mailFailed({ why: logs[0]?.details ?? logs[0]?.description ?? "" });
}

type ShownProps = {
  readonly tried: Tried;
  readonly context: FormContext;
  readonly onKeep: (bodyPath: string, variableId: string) => void;
};

function Shown({ tried, context, onKeep }: ShownProps) {
  const words = useWords(requestTrialWords);
  const { outcome, statusCode, durationMs, headers, variables, data, isCut, request, logs } = tried;
  const isOfService = request.service !== null;
  const section = useRef<HTMLElement>(null);
  // Scrolls the response into view, because it may be below the visible part of the panel.
  useLayoutEffect(() => section.current?.scrollIntoView({ block: "nearest" }), [tried]);
  return (
    <section class="trial-shown" aria-label={words.answer} ref={section}>
      {outcome === "answered" ? (
        <>
          <p class="trial-status">
            {statusCode !== null && (
              <Badge
                label={words.status({ code: statusCode })}
                tone={statusCode < 300 ? "good" : statusCode < 400 ? "neutral" : "danger"}
              />
            )}
            <span class="trial-note">{words.took({ ms: durationMs })}</span>
          </p>
          <Answer data={data} isCut={isCut} context={context} onKeep={isOfService ? undefined : onKeep} />
        </>
      ) : (
        <Unanswered tried={tried} outcome={outcome} />
      )}
      {variables.length > 0 && (
        <div>
          <h3 class="trial-head">{words.written}</h3>
          <dl class="trial-pairs">
            {variables.map(({ id, name, value }) => (
              <div key={id}>
                <dt>{name}</dt>
                <dd>{value === null ? words.nothing : [value].flat().join(", ")}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {logs.length > 0 && (
        <div>
          <h3 class="trial-head">{words.logged}</h3>
          <ul class="trial-logs">
            {logs.map(({ status, description, details }, index) => (
              <li key={index} class={`is-${status}`}>
                {details === null ? description : `${description}: ${details}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {headers.length > 0 && (
        <details>
          <summary class="trial-head">{words.headers({ count: headers.length })}</summary>
          <dl class="trial-pairs" dir="ltr">
            {headers.map(({ name, value }, index) => (
              <div key={index}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {isOfService ? (
        <Request request={request} title={outcome === "refused" ? words.notSent : words.sent} />
      ) : (
        <Curl command={curlOf(request)} title={outcome === "refused" ? words.notSent : words.sent} />
      )}
    </section>
  );
}

type UnansweredProps = { readonly tried: Tried; readonly outcome: Exclude<Tried["outcome"], "answered"> };

/**
 * Explains why a call has no response. If the service refused to make the call, also shows the settings that would
 * allow it.
 */
function Unanswered({ tried: { refusal, durationMs, request }, outcome }: UnansweredProps) {
  const words = useWords(requestTrialWords);
  const element = useRef<HTMLDivElement>(null);
  const lines = refusal?.lines.join("\n") ?? "";
  const reasons: Readonly<Record<string, string>> = words.reasons;
  const editAddress = (): void =>
    element.current
      ?.closest(".panel-form")
      ?.querySelector<HTMLElement>(".app-form :is(input, textarea, [contenteditable=true])")
      ?.focus();
  return (
    <div ref={element}>
      <Banner
        text={
          <>
            {refusal
              ? `${(reasons[refusal.reason] ?? refusal.reason).replace(/\.$/, "")}.`
              : words.took({ ms: durationMs })}
            {lines !== "" && ` ${words.allowedBy}`}
            {lines !== "" && (
              <span class="trial-allowing">
                <code>{lines}</code>
                <Button
                  label={words.copyLines}
                  icon="copy"
                  size="s"
                  onPress={() => void copyText(lines, words.copied)}
                />
              </span>
            )}
          </>
        }
        tone={refusal ? "warning" : "danger"}
        title={words.outcomes[outcome]}
        action={
          refusal && request.service === null && <Button label={words.editAddress} size="s" onPress={editAddress} />
        }
      />
    </div>
  );
}

/**
 * Shows the sent request to a service. There is no curl command, because the service's key is added only when the
 * request is sent.
 */
function Request({
  request: { service, method, url, body },
  title,
}: {
  readonly request: Tried["request"];
  readonly title: string;
}) {
  return (
    <details>
      <summary class="trial-head">{title}</summary>
      <pre class="trial-curl" dir="ltr">
        {[`${service}: ${method} ${url}`, ...(body === null ? [] : [body])].join("\n\n")}
      </pre>
    </details>
  );
}

function Curl({ command, title }: { readonly command: string; readonly title: string }) {
  const words = useWords(requestTrialWords);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(command);
    announce(words.copied);
  };
  return (
    <details>
      <summary class="trial-head">{title}</summary>
      <pre class="trial-curl" dir="ltr">
        {command}
      </pre>
      <Button label={words.copyCurl} icon="copy" size="s" onPress={() => void copy()} />
    </details>
  );
}
