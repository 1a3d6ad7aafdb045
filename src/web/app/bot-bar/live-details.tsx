import { call, useQuery } from "../api/index.ts";
import { QrCode } from "../page-parts/qr-code.tsx";
import { copyText } from "../page-parts/save-and-copy.ts";
import { plainOptions, snippetFor } from "../page-parts/snippets.ts";
import { Link } from "../routing/router.ts";
import { useChatAddress } from "../session/service-pages.ts";
import { Button, Skeleton, TextArea, TextField } from "../ui/index.ts";
import liveDetailsWords from "../words/en/live-details.json";
import { useWords } from "../words/index.ts";
import { whenText } from "../words/language.ts";
import type { Live, LiveBot } from "./live-facts.ts";
import "./live-details.css";

export type LiveDetailsProps = {
  readonly botId: string;
  readonly bot: LiveBot;
  readonly live: Live | undefined;
  readonly close: () => void;
};

/**
 * Shows details of the live version, such as its number, its URL and who published it, or a note that no version is
 * live.
 */
export function LiveDetails({ botId, bot, live, close }: LiveDetailsProps) {
  const words = useWords(liveDetailsWords);
  const { publicationNumber: number, publicId } = bot;
  if (number === null) return <p class="live-details">{words.draft}</p>;
  const { changes = 0, canary } = live ?? {};
  return (
    <div class="live-details">
      <div>
        <Published botId={botId} number={number} />
        {bot.isClosed && (
          <p>
            {words.closed}{" "}
            <Link to={`/bots/${botId}/settings?part=availability`} onFollow={close}>
              {words.openAgain}
            </Link>
          </p>
        )}
        {canary && (
          <p>
            {words.canary({ number: canary.number, percent: canary.percent })}{" "}
            <Link to={`/bots/${botId}/versions`} onFollow={close}>
              {words.toVersions}
            </Link>
          </p>
        )}
        {live && (
          <p>
            {changes > 0 ? (
              <Link to={`/bots/${botId}/versions/${number}/compare/draft`} onFollow={close}>
                {words.notLive}
              </Link>
            ) : (
              words.same
            )}
          </p>
        )}
      </div>
      {publicId !== null && <LiveAddress publicId={publicId} />}
    </div>
  );
}

function Published({ botId, number }: { readonly botId: string; readonly number: number }) {
  const words = useWords(liveDetailsWords);
  const { value } = useQuery(`bots/${botId}/published/${number}`, () => readPublication(botId, number));
  return (
    <>
      <h2>{words.version({ number })}</h2>
      {value && (
        <p>
          {value.name === null
            ? words.at({ time: whenText(value.at) })
            : words.byAt({ name: value.name, time: whenText(value.at) })}
        </p>
      )}
    </>
  );
}

/**
 * Reads who published a version and when. The live version is nearly always among the newest versions; otherwise, the
 * version is read together with its flow.
 */
async function readPublication(botId: string, number: number) {
  const { publications } = await call("GET /api/v1/bots/:botId/publications", {
    path: { botId },
    query: { limit: 20 },
  });
  const { publishedByName, createdAt } =
    publications.find((one) => one.number === number) ??
    (await call("GET /api/v1/bots/:botId/publications/:number", { path: { botId, number: String(number) } }))
      .publication;
  return { name: publishedByName, at: createdAt };
}

/** The public URL of a bot, which people can copy, open, or scan as a QR code. */
export function LiveAddress({ publicId, hasSnippet = false }: { publicId: string; hasSnippet?: boolean }) {
  const words = useWords(liveDetailsWords);
  const shell = useWords();
  const chatAddress = useChatAddress();
  if (chatAddress === undefined) return <Skeleton rows={3} />;
  const address = `${chatAddress}/${publicId}`;
  const snippet = snippetFor("bubble", {
    ...{ chatAddress, publicId, frameName: "", options: plainOptions, variables: {} },
  });
  return (
    <div class="live-address">
      <div class="live-row">
        <TextField label={words.address} value={address} isReadOnly isMono />
        <Button label={shell.copy} icon="copy" onPress={() => void copyText(address, shell.copied)} />
        <a class="app-button is-primary is-m" href={address} target="_blank" rel="noopener">
          {shell.open}
        </a>
      </div>
      <QrCode text={address} fileName={`${publicId}.svg`} />
      {hasSnippet && (
        <div class="live-snippet">
          <TextArea label={words.snippet} help={words.snippetText} value={snippet} isReadOnly isMono rows={4} />
          <Button label={shell.copy} icon="copy" onPress={() => void copyText(snippet, shell.copied)} />
        </div>
      )}
    </div>
  );
}
