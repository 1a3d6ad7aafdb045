import { call, useQuery } from "../../api/index.ts";
import { allPages } from "../../api/pages.ts";
import { contactAddress } from "../../page-parts/channels/contact-address.ts";
import { QrCode } from "../../page-parts/qr-code.tsx";
import { copyText } from "../../page-parts/save-and-copy.ts";
import { Link } from "../../routing/router.ts";
import { Badge, Button, TextField } from "../../ui/index.ts";
import shareWords from "../../words/en/share.json";
import { useWords } from "../../words/index.ts";

type Props = {
  readonly bot: {
    readonly id: string;
    readonly workspaceId: string;
    readonly publicId: string | null;
    readonly messengerCredentialsId: string | null;
    readonly settings: object;
  };
};

/** Shows each messenger connection that uses the bot, with its contact URL and QR code, if there is one. */
export function MessengerLinks({ bot }: Props) {
  const words = useWords(shareWords);
  const { workspaceId } = bot;
  // Guests of a bot may not read connections, so this section is hidden from them.
  const { value: connections = [] } = useQuery(`channel-connections/${workspaceId}/for-share`, () =>
    allPages(
      (page) => call("GET /api/v1/workspaces/:workspaceId/channel-connections", { path: { workspaceId }, query: page }),
      ({ channelConnections }) => channelConnections,
    ),
  );
  const asking = connections.filter(
    ({ id, bots }) =>
      id === bot.messengerCredentialsId || bots.some(({ botId, isEnabled }) => isEnabled && botId === bot.id),
  );
  if (asking.length === 0) return null;
  const messenger: unknown = Reflect.get(bot.settings, "messenger");
  const isAnswering =
    typeof messenger === "object" && messenger !== null && Reflect.get(messenger, "isEnabled") === true;
  return (
    <section>
      <h2>{words.messengers}</h2>
      {isAnswering ? (
        <p class="share-hint">{words.messengersText}</p>
      ) : (
        <p class="share-hint">
          {words.messengersOff} <Link to={`/bots/${bot.id}/settings?part=messengers`}>{words.toMessengers}</Link>
        </p>
      )}
      <ul class="share-messengers">
        {asking.map((connection) => {
          const place = `/w/${workspaceId}/channels/${connection.id}`;
          const address = contactAddress(connection, bot.publicId);
          return (
            <li key={connection.id}>
              <div class="share-messenger-head">
                <Link to={place}>{connection.name}</Link>
                {!connection.isEnabled && <Badge label={words.connectionOff} />}
              </div>
              {address === undefined ? (
                <p class="share-hint">{words.noMessengerAddress}</p>
              ) : (
                <>
                  <div class="share-address">
                    <TextField label={words.addressOf({ name: connection.name })} value={address} isReadOnly isMono />
                    <Button label={words.copy} icon="copy" onPress={() => void copyText(address, words.copied)} />
                  </div>
                  <QrCode text={address} fileName={`${connection.display ?? connection.name}.svg`} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
