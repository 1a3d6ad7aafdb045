/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { call, refresh, useQuery } from "../../api/index.ts";
import { Secret } from "../../shell/secret.tsx";
import { Part } from "../../shell/sections.tsx";
import { QueryState } from "../../shell/states.tsx";
import { useSubmit } from "../../shell/submit.ts";
import { allPages } from "../../shell/workspaces.ts";
import {
  Badge,
  Button,
  ConfirmDialog,
  Dialog,
  EmptyState,
  Menu,
  type MenuItem,
  Switch,
  Table,
  TextField,
  toast,
} from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { Deliveries } from "./deliveries.tsx";
import type { Endpoint } from "./endpoint.ts";

type Asking = { readonly kind: "deliveries" | "delete"; readonly endpoint: Endpoint };

/** The addresses that are told of a workspace's events, and what they were told. */
export function Events({ workspaceId, isAdmin }: { readonly workspaceId: string; readonly isAdmin: boolean }) {
  const words = useWords();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [asking, setAsking] = useState<Asking>();
  const key = `endpoints/${workspaceId}`;
  const query = useQuery(key, () =>
    allPages(async (cursor) => {
      const answer = await call("GET /api/v1/workspaces/:workspaceId/event-endpoints", {
        path: { workspaceId },
        query: { limit: 100, cursor },
      });
      return { entries: answer.eventEndpoints, nextCursor: answer.nextCursor };
    }),
  );
  const pathOf = ({ id }: Endpoint) => ({ workspaceId, endpointId: id });
  const enable = async (endpoint: Endpoint, isEnabled: boolean) => {
    const name = "PATCH /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId";
    await call(name, { path: pathOf(endpoint), body: { isEnabled } });
    await refresh(key);
  };
  const ping = async (endpoint: Endpoint) => {
    await call("POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/test", { path: pathOf(endpoint) });
    toast(words.pinged);
    setAsking({ kind: "deliveries", endpoint });
  };
  const rotate = async (endpoint: Endpoint) => {
    const name = "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/rotate-secret";
    setSecret((await call(name, { path: pathOf(endpoint) })).eventEndpoint.secret);
  };
  const remove = async (endpoint: Endpoint) => {
    await call("DELETE /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId", { path: pathOf(endpoint) });
    await refresh(key);
  };
  const itemsOf = (endpoint: Endpoint): MenuItem[] => [
    { label: words.deliveries, icon: "history", onPress: () => setAsking({ kind: "deliveries", endpoint }) },
    { label: words.ping, icon: "radio", isDisabled: !endpoint.isEnabled, onPress: () => void ping(endpoint) },
    { label: words.rotateSecret, icon: "refresh-cw", onPress: () => void rotate(endpoint) },
    { kind: "line" },
    {
      label: words.deleteEndpoint,
      icon: "trash-2",
      isDanger: true,
      onPress: () => setAsking({ kind: "delete", endpoint }),
    },
  ];
  return (
    <Part
      title={words.events}
      text={words.noEndpointsText}
      action={
        isAdmin && (
          <Button icon="plus" onPress={() => setMaking(true)}>
            {words.newEndpoint}
          </Button>
        )
      }
    >
      <QueryState query={query} onRetry={() => refresh(key)}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <EmptyState icon="webhook" title={words.noEndpoints} />
          ) : (
            <Table
              label={words.events}
              rows={endpoints}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "url",
                  label: words.endpointUrl,
                  isMain: true,
                  cell: ({ url, description }) => (
                    <span class="app-cell-text">
                      {url}
                      <span class="app-cell-detail">{description}</span>
                    </span>
                  ),
                },
                {
                  id: "state",
                  label: words.stateColumn,
                  from: "medium",
                  cell: (endpoint) => <EndpointState endpoint={endpoint} />,
                },
                {
                  id: "on",
                  label: words.endpointOn,
                  cell: (endpoint) => (
                    <Switch
                      label={`${words.endpointOn}: ${endpoint.url}`}
                      isLabelHidden
                      isChecked={endpoint.isEnabled}
                      onChange={(isEnabled) => void enable(endpoint, isEnabled)}
                    />
                  ),
                },
                {
                  id: "more",
                  label: words.more,
                  isHeadHidden: true,
                  align: "end",
                  cell: (endpoint) => (
                    <Menu
                      isIconOnly
                      kind="quiet"
                      size="s"
                      label={words.moreOf(endpoint.url)}
                      items={() => itemsOf(endpoint)}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
      {isMaking && (
        <NewEndpoint
          workspaceId={workspaceId}
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
            void refresh(key);
          }}
        />
      )}
      {secret !== undefined && (
        <Dialog
          title={words.rotateSecret}
          onClose={() => setSecret(undefined)}
          actions={<Button onPress={() => setSecret(undefined)}>{words.done}</Button>}
        >
          <Secret text={words.secretShown} value={secret} />
        </Dialog>
      )}
      {asking?.kind === "deliveries" && (
        <Deliveries workspaceId={workspaceId} endpoint={asking.endpoint} onClose={() => setAsking(undefined)} />
      )}
      {asking?.kind === "delete" && (
        <ConfirmDialog
          title={words.deleteEndpoint}
          text={words.deleteEndpointText}
          action={words.deleteBot}
          isDanger
          onConfirm={() => remove(asking.endpoint)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Part>
  );
}

function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const words = useWords();
  if (!endpoint.isEnabled) return <Badge>{words.endpointOff}</Badge>;
  if (endpoint.failingSince !== null) {
    return (
      <Badge tone="danger" icon="triangle-alert">
        {words.endpointFailing}
      </Badge>
    );
  }
  return (
    <Badge tone="good" icon="circle-check">
      {words.endpointOn}
    </Badge>
  );
}

type NewProps = {
  readonly workspaceId: string;
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
};

function NewEndpoint({ workspaceId, onClose, onMade }: NewProps) {
  const words = useWords();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const { isBusy, error, submit } = useSubmit();
  const make = () =>
    submit({ url }, async () => {
      const body = { url: url.trim(), description: description.trim() || null };
      const name = "POST /api/v1/workspaces/:workspaceId/event-endpoints";
      onMade((await call(name, { path: { workspaceId }, body })).eventEndpoint.secret);
    });
  return (
    <Dialog
      title={words.newEndpoint}
      text={words.allEvents}
      size="s"
      onClose={onClose}
      onSubmit={() => void make()}
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {words.create}
          </Button>
        </>
      }
    >
      <TextField
        label={words.endpointUrl}
        type="url"
        value={url}
        onInput={setUrl}
        error={error}
        placeholder="https://"
        attributes={{ autofocus: true }}
      />
      <TextField
        label={words.endpointDescription}
        aside={words.optional}
        value={description}
        onInput={setDescription}
      />
    </Dialog>
  );
}
