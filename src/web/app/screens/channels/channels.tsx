import { useState } from "preact/hooks";
import { call, useAll } from "../../api/index.ts";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { ListTable, MoreMenu, TwoLines, When } from "../../page-parts/lists.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { go, Link } from "../../routing/router.ts";
import { Button, ConfirmDialog, EmptyState, type MenuItem } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords, type WordsOf } from "../../words/index.ts";
import { ConnectDialog } from "./connect-dialog.tsx";
import { type Connection, one, useChannelTypes } from "./service.ts";
import { ConnectionState } from "./state-badge.tsx";
import "./channels.css";

type Asking =
  | { readonly kind: "new"; readonly channel?: string }
  | { readonly kind: "delete"; readonly connection: Connection };

/** Lists the messenger accounts on which bots of a workspace answer. */
export function Channels({ workspaceId, isAdmin }: { readonly workspaceId: string; readonly isAdmin: boolean }) {
  const shared = useWords();
  const words = useWords(channelWords);
  const [asking, setAsking] = useState<Asking>();
  const types = useChannelTypes();
  const query = useAll(
    `channel-connections/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/channel-connections", { path: { workspaceId }, query: page }),
    ({ channelConnections }) => channelConnections,
  );
  const addressOf = ({ id }: Connection) => `/w/${workspaceId}/channels/${id}`;
  const pathOf = ({ id }: Connection) => ({ workspaceId, connectionId: id });
  const turn = async (connection: Connection) => {
    const act = connection.isEnabled ? (`POST ${one}/disable` as const) : (`POST ${one}/enable` as const);
    await call(act, { path: pathOf(connection) }).catch(refusedToast);
    await query.again();
  };
  const itemsOf = (connection: Connection): MenuItem[] => [
    { label: shared.open, icon: "arrow-right", onPress: () => go(addressOf(connection)) },
    ...(isAdmin
      ? [
          {
            label: connection.isEnabled ? words.disable : words.enable,
            icon: "radio",
            onPress: () => void turn(connection),
          },
          { kind: "line" as const },
          {
            label: words.delete,
            icon: "trash-2",
            isDanger: true,
            onPress: () => setAsking({ kind: "delete", connection }),
          },
        ]
      : []),
  ];
  return (
    <Part
      title={words.title}
      text={words.text}
      action={isAdmin && <Button label={words.connect} icon="plus" onPress={() => setAsking({ kind: "new" })} />}
    >
      <ListTable
        query={query}
        empty={
          <EmptyState drawing={<EmptyDrawing of="chats" />} title={words.none} text={words.noneText}>
            {isAdmin && (
              <div class="channel-offers">
                {[...(types?.values() ?? [])].map((type) => (
                  <button
                    key={type.type}
                    type="button"
                    class="channel-offer"
                    onClick={() => setAsking({ kind: "new", channel: type.type })}
                  >
                    <strong>{type.type === "webhook" ? words.ownMessenger : type.name}</strong>
                    <span>{needsOf(words)[type.type]}</span>
                  </button>
                ))}
              </div>
            )}
          </EmptyState>
        }
        label={words.title}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "name",
            label: shared.name,
            isMain: true,
            cell: (connection) => (
              <TwoLines detail={[types?.get(connection.channel)?.name, connection.display].filter(Boolean).join(" · ")}>
                <Link to={addressOf(connection)}>{connection.name}</Link>
              </TwoLines>
            ),
          },
          { id: "state", label: shared.stateColumn, cell: (connection) => <ConnectionState connection={connection} /> },
          { id: "in", label: words.lastIn, from: "medium", cell: ({ lastInboundAt }) => <When at={lastInboundAt} /> },
          {
            id: "out",
            label: words.lastOut,
            from: "medium",
            cell: ({ lastOutboundAt }) => <When at={lastOutboundAt} />,
          },
        ]}
        acts={(connection) => <MoreMenu name={connection.name} items={() => itemsOf(connection)} />}
      />
      {asking?.kind === "new" && (
        <ConnectDialog
          workspaceId={workspaceId}
          channel={asking.channel}
          onConnected={query.again}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.kind === "delete" && (
        <DeleteConnection
          workspaceId={workspaceId}
          connection={asking.connection}
          onDeleted={query.again}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Part>
  );
}

function needsOf({ telegramNeeds, ownMessengerNeeds }: WordsOf<"channels">): Readonly<Record<string, string>> {
  return { telegram: telegramNeeds, webhook: ownMessengerNeeds };
}

type DeleteProps = {
  readonly workspaceId: string;
  readonly connection: Connection;
  readonly onDeleted: () => Promise<void> | void;
  readonly onClose: () => void;
};

/** Requires the name as confirmation, because contacts and messages are permanently deleted. */
export function DeleteConnection({ workspaceId, connection, onDeleted, onClose }: DeleteProps) {
  const words = useWords(channelWords);
  const remove = async () => {
    const path = { workspaceId, connectionId: connection.id };
    await call(`DELETE ${one}`, { path, query: { name: connection.name } });
    await onDeleted();
  };
  return (
    <ConfirmDialog
      title={words.deleteTitle({ name: connection.name })}
      text={words.deleteText}
      action={words.delete}
      isDanger
      typed={connection.name}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
