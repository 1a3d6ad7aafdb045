import { useMemo, useState } from "preact/hooks";
import { listAt } from "../../../conversation/read.ts";
import { ApiFailure, call, isRecord, refresh, useQuery } from "../../api/index.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { NameDialog } from "../../page-parts/form-dialog.tsx";
import { QrCode } from "../../page-parts/qr-code.tsx";
import { copyText } from "../../page-parts/save-and-copy.ts";
import { addressOf } from "../../page-parts/snippets.ts";
import { QueryState } from "../../page-parts/states.tsx";
import { Stage } from "../../preview/stage.tsx";
import { Link } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Badge, Banner, Button, EmptyState, Skeleton, TextField, toast } from "../../ui/index.ts";
import shareWords from "../../words/en/share.json";
import { useWords } from "../../words/index.ts";
import { Embed } from "./embed.tsx";
import { TalkChoice } from "./live-view.tsx";
import { MessengerLinks } from "./messengers.tsx";
import { PageFrame, type PageFrameProps } from "./page-frame.tsx";
import { Prefill, type Row, variablesOf } from "./prefill.tsx";
import type { Talk } from "./talk.ts";
import "./share.css";

/** Shows how visitors reach a bot: its URL, a QR code, and the snippets for websites. */
export default function ShareScreen({ params }: ScreenProps) {
  const { botId = "" } = params;
  return (
    <BotFrame botId={botId} part="share">
      <Share key={botId} botId={botId} />
    </BotFrame>
  );
}

function Share({ botId }: { botId: string }) {
  const query = useQuery(`bots/${botId}/for-share`, () => readShared(botId));
  const chatAddress = useChatAddress();
  return (
    <QueryState query={query}>
      {({ bot, mode, hasChanges }) => {
        if (bot.publicationNumber === null || bot.publicId === null) return <NotPublished botId={botId} />;
        if (chatAddress === undefined) return <Skeleton rows={6} />;
        return (
          <Published
            {...{ bot, hasChanges, chatAddress }}
            mayPublish={mode === "write"}
            number={bot.publicationNumber}
            publicId={bot.publicId}
          />
        );
      }}
    </QueryState>
  );
}

type Shared = Awaited<ReturnType<typeof readShared>>;

async function readShared(botId: string) {
  const { bot, currentUserMode: mode } = await call("GET /api/v1/bots/:botId", { path: { botId } });
  // Compares the live version with the draft to find out whether there are changes to publish.
  const isSame =
    bot.publicationNumber === null ||
    (await call("GET /api/v1/bots/:botId/compare", { path: { botId }, query: {} })).isSame;
  return { bot, mode, hasChanges: !isSame };
}

type PublishedProps = {
  readonly bot: Shared["bot"];
  readonly number: number;
  readonly hasChanges: boolean;
  readonly publicId: string;
  readonly chatAddress: string;
  readonly mayPublish: boolean;
};

function Published({ bot, number, hasChanges, publicId, chatAddress, mayPublish }: PublishedProps) {
  const words = useWords(shareWords);
  const publishing = usePublishing(bot.id);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [isChanging, setChanging] = useState(false);
  const variables = useMemo(() => variablesOf(rows), [rows]);
  const address = addressOf({ chatAddress, publicId, variables });
  const names = bot.variables.filter(({ isPrefillable }) => isPrefillable !== false).map(({ name }) => name);
  return (
    <div class="share">
      <header class="share-head">
        <h1>{words.title}</h1>
        <Badge
          label={bot.isClosed ? words.isClosed : words.isLive({ number })}
          tone={bot.isClosed ? "warning" : "good"}
          icon={bot.isClosed ? "lock" : "radio"}
        />
        {hasChanges && <Badge label={words.hasChanges} icon="pencil" />}
        {hasChanges && mayPublish && (
          <Button label={words.publish} busy={publishing.isBusy} onPress={publishing.publish} />
        )}
      </header>
      <Problems failure={publishing.failure} />
      <section class="share-page">
        <div class="share-link">
          <div class="share-address">
            <TextField label={words.address} value={address} isReadOnly isMono />
            <Button
              label={words.copy}
              icon="copy"
              kind="primary"
              onPress={() => void copyText(address, words.copied)}
            />
            {mayPublish && <Button label={words.change} icon="pencil" onPress={() => setChanging(true)} />}
            <a class="app-button is-plain is-m" href={address} target="_blank" rel="noopener">
              {words.open}
            </a>
          </div>
          {isChanging && (
            <AddressDialog {...{ botId: bot.id, publicId, chatAddress }} onClose={() => setChanging(false)} />
          )}
          <Prefill names={names} rows={rows} onChange={setRows} />
          <QrCode text={address} fileName={`${publicId}.svg`} />
        </div>
        <PageView {...{ bot, chatAddress, variables }} />
      </section>
      <MessengerLinks bot={bot} />
      <Embed bot={bot} {...{ chatAddress, publicId, variables }} />
      <Origins botId={bot.id} settings={bot.settings} />
    </div>
  );
}

function PageView(page: Omit<PageFrameProps, "talk">) {
  const [talk, setTalk] = useState<Talk>("sample");
  return (
    <figure class="share-live is-page">
      <div class="share-live-bar">
        <TalkChoice talk={talk} onChange={setTalk} />
      </div>
      <Stage kind="page" size="phone">
        <PageFrame {...page} talk={talk} />
      </Stage>
    </figure>
  );
}

type AddressDialogProps = {
  readonly botId: string;
  readonly publicId: string;
  readonly chatAddress: string;
  readonly onClose: () => void;
};

/** Changes the bot's public URL. The current URL then stops working. */
function AddressDialog({ botId, publicId, chatAddress, onClose }: AddressDialogProps) {
  const words = useWords(shareWords);
  return (
    <NameDialog
      title={words.changeAddress}
      text={words.changeAddressText}
      action={words.change}
      label={words.addressEnd({ before: `${chatAddress}/` })}
      value={publicId}
      send={async (wanted) => {
        await call("PATCH /api/v1/bots/:botId", { path: { botId }, body: { bot: { publicId: wanted } } });
        await refresh(`bots/${botId}`);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Shown if the bot is not published. The only action is to publish the bot. */
function NotPublished({ botId }: { botId: string }) {
  const words = useWords(shareWords);
  const { publish, isBusy, failure } = usePublishing(botId);
  return (
    <div class="share">
      <h1 class="visually-hidden">{words.title}</h1>
      <EmptyState drawing={<EmptyDrawing of="live" />} title={words.notPublished} text={words.notPublishedText}>
        <Button label={words.publish} kind="primary" busy={isBusy} onPress={publish} />
      </EmptyState>
      <Problems failure={failure} />
    </div>
  );
}

function usePublishing(botId: string) {
  const words = useWords(shareWords);
  const [failure, setFailure] = useState<ApiFailure>();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await call("POST /api/v1/bots/:botId/publish", { path: { botId }, body: {} });
      await refresh(`bots/${botId}`);
      toast(words.published);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error);
    }
    setBusy(false);
  };
  return { failure, isBusy, publish: () => void run() };
}

/** Shows why a publication was refused, for example the findings that block it. */
function Problems({ failure }: { failure: ApiFailure | undefined }) {
  const words = useWords(shareWords);
  if (!failure) return null;
  const problems = problemsOf(failure);
  return (
    <Banner
      text={
        <>
          {failure.code === "workspace.forbidden" ? words.noRight : problems.length === 0 && failure.message}
          {problems.length > 0 && (
            <ul>
              {problems.map((problem, index) => (
                <li key={index}>{problem}</li>
              ))}
            </ul>
          )}
        </>
      }
      tone="danger"
      isAlert
      title={problems.length > 0 ? words.problems : undefined}
    />
  );
}

/** Returns the messages of the findings that block the publication. */
function problemsOf({ data }: ApiFailure): readonly string[] {
  const findings = isRecord(data) ? (data["findings"] ?? data["issues"]) : undefined;
  if (!Array.isArray(findings)) return [];
  return findings.flatMap((finding: unknown) => {
    const message = isRecord(finding) ? finding["message"] : undefined;
    return typeof message === "string" ? [message] : [];
  });
}

type OriginsProps = { readonly botId: string; readonly settings: object };

/** Edits the list of websites that may embed the chat. */
function Origins({ botId, settings }: OriginsProps) {
  const words = useWords(shareWords);
  const security: unknown = Reflect.get(settings, "security");
  const origins = listAt(security, "allowedOrigins").filter((origin) => typeof origin === "string" && origin !== "");
  return (
    <section>
      <h2>{words.origins}</h2>
      {origins.length === 0 ? (
        <p class="share-hint">{words.anyOrigin}</p>
      ) : (
        <>
          <p class="share-hint">{words.someOrigins}</p>
          <ul class="share-origins">
            {origins.map((origin) => (
              <li key={String(origin)}>
                <code>{String(origin)}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      <Link to={`/bots/${botId}/settings?part=security`}>{words.changeOrigins}</Link>
    </section>
  );
}
