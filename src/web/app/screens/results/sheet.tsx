import { useState } from "preact/hooks";
import { safeLink } from "../../../conversation/links.ts";
import { useQuery } from "../../api/index.ts";
import { copyText } from "../../page-parts/save-and-copy.ts";
import { Link } from "../../routing/router.ts";
import { Badge, Button, Dialog, EmptyState, IconButton, Segments, Skeleton, Tabs } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { exactTimeText, sizeText, timeText, useWords, type WordsOf } from "../../words/index.ts";
import { AnswerFiles } from "./answer-files.tsx";
import { type AnswerFile, answerParts } from "./answer-parts.ts";
import { type Question, questionsBeside, stateOf } from "./columns.ts";
import { PaymentFacts } from "./payments.tsx";
import { RatingFacts } from "./ratings.tsx";
import { AsSeen } from "./seen/as-seen.tsx";
import { downloadFile, readResult, type Utterances, type WholeResult } from "./service.ts";
import { StateBadge } from "./state-badge.tsx";

type SheetProps = {
  readonly botId: string;
  readonly resultId: string;
  readonly questions: readonly Question[];
  /** Opens the next newer or older result in the list; undefined if there is none. */
  readonly onNewer: (() => void) | undefined;
  readonly onOlder: (() => void) | undefined;
  readonly onDelete: (() => void) | undefined;
  readonly onClose: () => void;
};

/** Shows a result with its conversation, data, files and log. */
export function ResultSheet({ botId, resultId, questions, onNewer, onOlder, onDelete, onClose }: SheetProps) {
  const words = useWords(resultWords);
  const [tab, setTab] = useState("conversation");
  const { value, failure } = useQuery(`results/${botId}/one/${resultId}`, () => readResult(botId, resultId));
  const title = value ? words.open({ when: exactTimeText(value.result.createdAt) }) : words.title;
  return (
    <Dialog
      title={title}
      size="l"
      shape="sheet"
      onClose={onClose}
      text={value && <Standing botId={botId} whole={value} />}
      actions={
        <>
          <IconButton icon="chevron-up" label={words.before} isDisabled={!onNewer} onPress={onNewer} />
          <IconButton icon="chevron-down" label={words.after} isDisabled={!onOlder} onPress={onOlder} />
          <Button label={words.copyLink} icon="link" onPress={() => void copyText(location.href, words.copied)} />
          {onDelete && <Button label={words.delete({ count: 1 })} icon="trash-2" onPress={onDelete} />}
        </>
      }
    >
      {failure && <EmptyState icon="circle-alert" title={failure.status === 404 ? words.gone : failure.message} />}
      {!value && !failure && <Skeleton rows={6} />}
      {value && (
        <Tabs label={title} tabs={tabsOf(value, words)} selected={tab} onSelect={setTab}>
          {tab === "conversation" && <Conversation botId={botId} whole={value} />}
          {tab === "data" && <Data whole={value} questions={questions} botId={botId} />}
          {tab === "files" && <Files whole={value} botId={botId} />}
          {tab === "log" && <Log whole={value} />}
        </Tabs>
      )}
    </Dialog>
  );
}

/** Shows the progress of the chat and the version on which it began. */
function Standing({ botId, whole: { result } }: PartProps & { readonly botId: string }) {
  const words = useWords(resultWords);
  const { publicationNumber, conversation } = result;
  return (
    <span class="results-standing">
      <StateBadge state={stateOf(result)} />
      {publicationNumber !== null && (
        <>
          <Link to={`/bots/${botId}/versions/${publicationNumber}`}>
            {words.versionOf({ number: publicationNumber })}
          </Link>
          <Link to={`/bots/${botId}/versions/${publicationNumber}?result=${result.id}`}>{words.path}</Link>
        </>
      )}
      {conversation && (
        <Link
          to={`/w/${conversation.workspaceId}/channels/${conversation.connectionId}/conversations/${conversation.contactId}`}
        >
          {words.onMessenger}
        </Link>
      )}
      {result.answers.length > 0 && (
        <Link to={`/bots/${botId}/preview?again=${result.id}`} title={words.tryAgainHelp}>
          {words.tryAgain}
        </Link>
      )}
    </span>
  );
}

function tabsOf({ files, logs }: WholeResult, words: WordsOf<"result">) {
  const errors = logs.filter(({ status }) => status === "error").length;
  return [
    { id: "conversation", label: words.conversation },
    { id: "data", label: words.data },
    { id: "files", label: words.files, ...(files.length > 0 && { badge: <Badge label={files.length} /> }) },
    { id: "log", label: words.log, ...(errors > 0 && { badge: <Badge label={errors} tone="danger" /> }) },
  ];
}

type PartProps = { readonly whole: WholeResult };

function Data({
  whole: { result, files },
  questions,
  botId,
}: PartProps & { questions: readonly Question[]; botId: string }) {
  const words = useWords(resultWords);
  const known = [
    ...questions.filter(({ blockId }) => result.answers.some((answer) => answer.blockId === blockId)),
    ...questionsBeside(result, questions, words.question),
  ];
  // A variable that stores an answer contains the same files as the answer.
  const named = new Map(
    known.flatMap((one) => answerParts(result, one).files.map((file) => [file.url, file] as const)),
  );
  return (
    <>
      <h3>{words.answers}</h3>
      {known.length === 0 && <p class="results-hint">{words.noAnswers}</p>}
      <dl class="results-facts">
        {known.map((question) => {
          const parts = answerParts(result, question);
          return (
            <div key={question.blockId}>
              <dt dir="auto">{question.label}</dt>
              <dd dir="auto">
                {parts.files.length > 0 && (
                  <AnswerFiles files={parts.files} known={files} botId={botId} resultId={result.id} />
                )}
                {parts.text}
              </dd>
            </div>
          );
        })}
      </dl>
      <RatingFacts ratings={result.ratings} />
      <PaymentFacts payments={result.payments} />
      <h3>{words.variables}</h3>
      {result.variables.length === 0 && <p class="results-hint">{words.noVariables}</p>}
      <dl class="results-facts">
        {result.variables.map(({ id, name, value }) => (
          <div key={id}>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">
              <VariableValue value={value} named={named} known={files} botId={botId} resultId={result.id} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

type VariableValueProps = {
  readonly value: string | readonly (string | null)[];
  readonly named: ReadonlyMap<string, AnswerFile>;
  readonly known: WholeResult["files"];
  readonly botId: string;
  readonly resultId: string;
};

function VariableValue({ value, named, ...place }: VariableValueProps) {
  const texts = typeof value === "string" ? value.split(", ") : value.map((one) => one ?? "");
  const files = texts.flatMap((one) => named.get(one) ?? []);
  if (files.length > 0 && files.length === texts.length) return <AnswerFiles files={files} {...place} />;
  return <>{typeof value === "string" ? value : texts.join("\n")}</>;
}

function Files({ whole: { result, files }, botId }: PartProps & { botId: string }) {
  const words = useWords(resultWords);
  if (files.length === 0) return <p class="results-hint">{words.noFiles}</p>;
  return (
    <ul class="results-files">
      {files.map((file) => (
        <li key={file.id}>
          <span dir="auto">{file.name}</span>
          <span class="results-muted">{sizeText(file.bytes)}</span>
          <IconButton
            icon="download"
            size="s"
            label={words.download({ name: file.name })}
            onPress={() => void downloadFile(botId, result.id, file)}
          />
        </li>
      ))}
    </ul>
  );
}

function Log({ whole: { logs } }: PartProps) {
  const words = useWords(resultWords);
  if (logs.length === 0) return <p class="results-hint">{words.noLog}</p>;
  return (
    <ul class="results-log">
      {logs.map(({ id, createdAt, status, description, details, context }) => (
        <li key={id}>
          <Badge label={status} tone={status === "error" ? "danger" : status === "warning" ? "warning" : "neutral"} />{" "}
          <time dateTime={String(createdAt)}>{timeText(createdAt)}</time>
          <p dir="auto">{context === null ? description : `${context}: ${description}`}</p>
          {details !== null && <pre dir="auto">{details}</pre>}
        </li>
      ))}
    </ul>
  );
}

type Utterance = Utterances["transcript"][number];

/** Shows the conversation as the visitor saw it, or as plain text. */
function Conversation({ botId, whole }: PartProps & { readonly botId: string }) {
  const words = useWords(resultWords);
  const [shown, setShown] = useState<"seen" | "text">("seen");
  const chooser = (
    <Segments
      label={words.conversation}
      value={shown}
      options={[
        { value: "seen", label: words.seen.asSeen },
        { value: "text", label: words.seen.asText },
      ]}
      onChange={setShown}
    />
  );
  // The key ensures that each result has its own frame.
  if (shown === "seen") return <AsSeen key={whole.result.id} {...{ botId, whole, chooser }} />;
  return (
    <>
      <div class="results-seen-bar">{chooser}</div>
      <Transcript said={whole.said} />
    </>
  );
}

function Transcript({ said }: { readonly said: Utterances }) {
  const words = useWords(resultWords);
  const { transcript, isComplete, chats = [] } = said;
  const isCut = chats.every(({ steps }) => steps.length > 0);
  return (
    <>
      {!isComplete && <p class="results-hint">{isCut ? words.seen.truncated : words.incomplete}</p>}
      {transcript.length === 0 && <p class="results-hint">{words.nothingSaid}</p>}
      <ol class="results-transcript">
        {transcript.map((utterance, index) => (
          <li key={index} class={`is-${utterance.role}`} title={timeText(utterance.createdAt)}>
            <span class="visually-hidden">{utterance.role === "bot" ? words.bot : words.visitor}: </span>
            <Said utterance={utterance} />
            {utterance.unfinished !== undefined && (
              <span class="results-unfinished">{words.unfinished[utterance.unfinished]}</span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Shows a text, a picture, or a link to another medium. A URL that is not safe is shown as text. */
function Said({ utterance: { text, image, video, audio } }: { utterance: Utterance }) {
  const address = safeLink(image ?? video ?? audio);
  if (text !== undefined) return <span dir="auto">{text}</span>;
  if (address === undefined) return <span dir="auto">{image ?? video ?? audio}</span>;
  if (image !== undefined && address.startsWith("https:")) return <img src={address} alt="" loading="lazy" />;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  );
}
