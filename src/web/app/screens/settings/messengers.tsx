import { useState } from "preact/hooks";
import { ApiFailure, call, useAll } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { Link } from "../../routing/router.ts";
import { Banner, Combobox, Skeleton } from "../../ui/index.ts";
import settingsWords from "../../words/en/settings.json";
import { useWords } from "../../words/index.ts";

/**
 * Selects a messenger connection for the bot, and lists the connections that already use the bot. Connections are not
 * part of the draft, so changes take effect immediately.
 */
export function Messengers({ bot }: { readonly bot: OpenBot }) {
  const words = useWords(settingsWords);
  const [failure, setFailure] = useState<string>();
  const { workspaceId, messengerCredentialsId } = bot.bot.value;
  const query = useAll(
    `channel-connections/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/channel-connections", { path: { workspaceId }, query: page }),
    ({ channelConnections }) => channelConnections,
  );
  if (!query.value) {
    if (!query.failure) return <Skeleton rows={2} />;
    // Guests of a bot may not read connections.
    const isGuest = query.failure.status === 403 || query.failure.status === 404;
    return isGuest ? (
      <p class="look-hint">{words.membersChoose}</p>
    ) : (
      <Banner text={query.failure.message} tone="danger" isAlert />
    );
  }
  const connections = query.value;
  const named = messengerCredentialsId ?? undefined;
  const isGone = named !== undefined && connections.every(({ id }) => id !== named);
  if (connections.length === 0 && !isGone) {
    return (
      <p class="look-hint">
        {words.noConnections} <Link to={`/w/${workspaceId}/settings/channels`}>{words.toChannels}</Link>
      </p>
    );
  }
  const choose = async (id: string | undefined) => {
    setFailure(undefined);
    try {
      await call("PATCH /api/v1/bots/:botId", {
        path: { botId: bot.id },
        body: { bot: { messengerCredentialsId: id ?? null } },
      });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setFailure(error.message);
    }
    await bot.refresh();
  };
  const asking = connections.filter(({ bots }) => bots.some(({ botId }) => botId === bot.id));
  return (
    <div class="availability">
      <Combobox
        label={words.connection}
        help={words.connectionHelp}
        value={named}
        options={[
          ...connections.map(({ id, name, display }) => ({ value: id, label: name, detail: display ?? undefined })),
          ...(isGone ? [{ value: named, label: words.goneConnection }] : []),
        ]}
        noneLabel={words.noConnections}
        isOptional
        isReadOnly={bot.mode !== "write"}
        onChange={(id) => void choose(id)}
      />
      {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
      {asking.length > 0 && (
        <>
          <p class="look-hint">{words.askedBy}</p>
          <ul>
            {asking.map(({ id, name, bots }) => (
              <li key={id}>
                <Link to={`/w/${workspaceId}/channels/${id}/bots`}>{name}</Link>{" "}
                {words.place({ place: bots.findIndex(({ botId }) => botId === bot.id) + 1 })}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
