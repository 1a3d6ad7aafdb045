/** @jsxImportSource preact */
import { type Answer, call, refresh, useQuery } from "../../api/index.ts";
import { QueryState } from "../../shell/states.tsx";
import { Badge, Button, Dialog, Table, type Tone, toast } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";
import type { Endpoint } from "./endpoint.ts";

const list = "GET /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries";
type Delivery = Answer<typeof list>["deliveries"][number];

type DeliveriesProps = { readonly workspaceId: string; readonly endpoint: Endpoint; readonly onClose: () => void };

/** What an endpoint was told lately, what became of it, and the way to tell it again. */
export function Deliveries({ workspaceId, endpoint, onClose }: DeliveriesProps) {
  const words = useWords();
  const key = `deliveries/${endpoint.id}`;
  const path = { workspaceId, endpointId: endpoint.id };
  const query = useQuery(key, () => call(list, { path, query: { limit: 50 } }));
  const again = async ({ id }: Delivery) => {
    const name = "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries/:deliveryId/redeliver";
    await call(name, { path: { ...path, deliveryId: id } });
    toast(words.redelivered);
    await refresh(key);
  };
  const states: { readonly [Status in Delivery["status"]]: readonly [Tone, string] } = {
    pending: ["neutral", words.deliveryPending],
    delivered: ["good", words.deliveryDelivered],
    failed: ["danger", words.deliveryFailed],
  };
  return (
    <Dialog title={words.deliveries} text={endpoint.url} size="l" onClose={onClose}>
      <QueryState query={query} onRetry={() => refresh(key)}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p>{words.noDeliveries}</p>
          ) : (
            <Table
              label={words.deliveries}
              rows={deliveries}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: "type",
                  label: words.endpointEvents,
                  isMain: true,
                  cell: ({ type, lastStatusCode, lastError, attempts }) => (
                    <span class="app-cell-text">
                      {type}
                      <span class="app-cell-detail">
                        {words.attempts(attempts)} {lastStatusCode ?? lastError ?? ""}
                      </span>
                    </span>
                  ),
                },
                {
                  id: "state",
                  label: words.stateColumn,
                  cell: ({ status }) => <Badge tone={states[status][0]}>{states[status][1]}</Badge>,
                },
                {
                  id: "at",
                  label: words.since,
                  from: "medium",
                  cell: ({ createdAt }) => <span title={timeText(createdAt)}>{whenText(createdAt)}</span>,
                },
                {
                  id: "again",
                  label: words.redeliver,
                  isHeadHidden: true,
                  align: "end",
                  cell: (delivery) => (
                    <Button size="s" isDisabled={!endpoint.isEnabled} onPress={() => void again(delivery)}>
                      {words.redeliver}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </QueryState>
    </Dialog>
  );
}
