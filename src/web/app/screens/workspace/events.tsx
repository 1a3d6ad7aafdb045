import { useState } from "preact/hooks";
import { type EventType, eventTypes } from "../../../../events.ts";
import { call, useAll } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { ListTable, MoreMenu, TwoLines } from "../../page-parts/lists.tsx";
import { SecretDialog } from "../../page-parts/secret.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { FieldProblem, useTexts } from "../../page-parts/submit.ts";
import {
  Badge,
  Button,
  Checkbox,
  ConfirmDialog,
  EmptyState,
  FieldError,
  type MenuItem,
  Switch,
  TextField,
  toast,
} from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { eventTitle } from "../../words/event-title.ts";
import { useWords } from "../../words/index.ts";
import { Deliveries } from "./deliveries.tsx";
import type { Endpoint } from "./endpoint.ts";

type Asking =
  | { readonly kind: "new" }
  | { readonly kind: "edit" | "deliveries" | "rotate" | "delete"; readonly endpoint: Endpoint }
  | { readonly kind: "secret"; readonly secret: string };

const one = "/api/v1/workspaces/:workspaceId/event-endpoints/:endpointId";

/** Lists the endpoints that receive a workspace's events, and their deliveries. */
export function Events({ workspaceId, isAdmin }: { readonly workspaceId: string; readonly isAdmin: boolean }) {
  const words = useWords();
  const own = useWords(workspaceWords);
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const query = useAll(
    `endpoints/${workspaceId}`,
    (page) => call("GET /api/v1/workspaces/:workspaceId/event-endpoints", { path: { workspaceId }, query: page }),
    ({ eventEndpoints }) => eventEndpoints,
  );
  const pathOf = ({ id }: Endpoint) => ({ workspaceId, endpointId: id });
  const enable = async (endpoint: Endpoint, isEnabled: boolean) => {
    await call(`PATCH ${one}`, { path: pathOf(endpoint), body: { isEnabled } });
    await query.again();
  };
  const ping = async (endpoint: Endpoint) => {
    await call(`POST ${one}/test`, { path: pathOf(endpoint) });
    toast(words.pinged);
    setAsking({ kind: "deliveries", endpoint });
  };
  const rotate = async (endpoint: Endpoint) => {
    const { secret } = (await call(`POST ${one}/rotate-secret`, { path: pathOf(endpoint) })).eventEndpoint;
    setAsking({ kind: "secret", secret });
  };
  const remove = async (endpoint: Endpoint) => {
    await call(`DELETE ${one}`, { path: pathOf(endpoint) });
    await query.again();
  };
  /**
   * Returns the menu items that edit an endpoint. The menu of a listener does not contain them, because the running
   * command chooses the events and has the secret.
   */
  const changesOf = (endpoint: Endpoint): MenuItem[] => [
    { label: own.edit, icon: "pencil", onPress: () => setAsking({ kind: "edit", endpoint }) },
    { label: words.rotateSecret, icon: "refresh-cw", onPress: () => setAsking({ kind: "rotate", endpoint }) },
  ];
  const itemsOf = (endpoint: Endpoint): MenuItem[] => [
    { label: words.deliveries, icon: "history", onPress: () => setAsking({ kind: "deliveries", endpoint }) },
    ...(isAdmin
      ? [
          ...(endpoint.isListener ? [] : changesOf(endpoint)),
          { label: words.ping, icon: "radio", isDisabled: !endpoint.isEnabled, onPress: () => void ping(endpoint) },
          { kind: "line" as const },
          {
            label: words.deleteEndpoint,
            icon: "trash-2",
            isDanger: true,
            onPress: () => setAsking({ kind: "delete", endpoint }),
          },
        ]
      : []),
  ];
  return (
    <Part
      title={words.events}
      text={words.noEndpointsText}
      action={isAdmin && <Button label={words.newEndpoint} icon="plus" onPress={() => setAsking({ kind: "new" })} />}
    >
      <ListTable
        query={query}
        bars={5}
        empty={<EmptyState icon="webhook" title={words.noEndpoints} />}
        label={words.events}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "url",
            label: words.endpointUrl,
            isMain: true,
            cell: ({ url, description, eventTypes: types }) => {
              const kinds =
                types.length === eventTypes.length ? own.allEvents : own.eventCount({ count: types.length });
              return (
                <TwoLines
                  detail={[description, kinds].filter(Boolean).join(" · ")}
                  title={types.map((type) => eventTitle(type)).join(", ")}
                >
                  {url}
                </TwoLines>
              );
            },
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
                isDisabled={!isAdmin}
                onChange={(isEnabled) => void enable(endpoint, isEnabled)}
              />
            ),
          },
        ]}
        acts={(endpoint) => <MoreMenu name={endpoint.url} items={() => itemsOf(endpoint)} />}
      />
      {(asking?.kind === "new" || asking?.kind === "edit") && (
        <EndpointDialog
          workspaceId={workspaceId}
          endpoint={asking.kind === "edit" ? asking.endpoint : undefined}
          onSaved={(secret) => {
            setAsking(secret === undefined ? undefined : { kind: "secret", secret });
            void query.again();
          }}
          onClose={close}
        />
      )}
      {asking?.kind === "secret" && (
        <SecretDialog title={own.rotate} text={words.secretShown} value={asking.secret} onClose={close} />
      )}
      {asking?.kind === "rotate" && (
        <ConfirmDialog
          title={own.rotateTitle}
          text={own.rotateText}
          action={own.rotate}
          onConfirm={() => rotate(asking.endpoint)}
          onClose={() => setAsking((now) => (now?.kind === "secret" ? now : undefined))}
        />
      )}
      {asking?.kind === "deliveries" && (
        <Deliveries {...{ workspaceId, isAdmin }} endpoint={asking.endpoint} onClose={close} />
      )}
      {asking?.kind === "delete" && (
        <ConfirmDialog
          title={words.deleteEndpoint}
          text={words.deleteEndpointText}
          action={words.deleteBot}
          isDanger
          onConfirm={() => remove(asking.endpoint)}
          onClose={close}
        />
      )}
    </Part>
  );
}

function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const words = useWords();
  const own = useWords(workspaceWords);
  if (!endpoint.isEnabled) return <Badge label={words.endpointOff} />;
  if (endpoint.isListener) return <Badge label={own.listening} tone="good" icon="radio" />;
  if (endpoint.failingSince !== null) {
    return <Badge label={words.endpointFailing} tone="danger" icon="triangle-alert" />;
  }
  return (
    <Badge
      label={endpoint.pendingCount > 0 ? own.pending({ count: endpoint.pendingCount }) : own.delivering}
      tone="good"
      icon="circle-check"
    />
  );
}

type EndpointDialogProps = {
  readonly workspaceId: string;
  /** The endpoint to edit; undefined for a new endpoint. */
  readonly endpoint: Endpoint | undefined;
  /** Called with the secret of a new endpoint, which is shown only once. */
  readonly onSaved: (secret: string | undefined) => void;
  readonly onClose: () => void;
};

/** Creates or edits an endpoint and selects the types of events that it receives. */
function EndpointDialog({ workspaceId, endpoint, onSaved, onClose }: EndpointDialogProps) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const { texts, field } = useTexts({ url: endpoint?.url ?? "", description: endpoint?.description ?? "" });
  const [chosen, setChosen] = useState<ReadonlySet<EventType>>(new Set(endpoint?.eventTypes ?? eventTypes));
  const path = { workspaceId };
  const save = async () => {
    if (chosen.size === 0) throw new FieldProblem("eventTypes", words.oneEvent);
    const body = {
      url: texts.url.trim(),
      description: texts.description.trim() || null,
      eventTypes: eventTypes.filter((type) => chosen.has(type)),
    };
    if (endpoint) {
      const name = "PATCH /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId";
      await call(name, { path: { ...path, endpointId: endpoint.id }, body });
      toast(shared.saved);
      onSaved(undefined);
    } else {
      const made = await call("POST /api/v1/workspaces/:workspaceId/event-endpoints", { path, body });
      onSaved(made.eventEndpoint.secret);
    }
  };
  return (
    <FormDialog
      title={endpoint ? words.editEndpoint : shared.newEndpoint}
      action={endpoint ? shared.save : shared.create}
      required={{ url: texts.url }}
      send={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={shared.endpointUrl}
            type="url"
            {...field("url", errorOf)}
            placeholder="https://"
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          <TextField label={shared.endpointDescription} aside={shared.optional} {...field("description", errorOf)} />
          <fieldset class="app-choices">
            <legend>{words.whichEvents}</legend>
            <Checkbox
              label={words.allEvents}
              isChecked={chosen.size === eventTypes.length}
              isMixed={chosen.size > 0 && chosen.size < eventTypes.length}
              onChange={(isChosen) => setChosen(new Set(isChosen ? eventTypes : []))}
            />
            <div class="app-choices-nested">
              {eventTypes.map((type) => (
                <Checkbox
                  key={type}
                  label={eventTitle(type)}
                  isChecked={chosen.has(type)}
                  onChange={(isChosen) =>
                    setChosen(new Set(eventTypes.filter((each) => (each === type ? isChosen : chosen.has(each)))))
                  }
                />
              ))}
            </div>
            <FieldError error={errorOf("eventTypes")} />
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}
