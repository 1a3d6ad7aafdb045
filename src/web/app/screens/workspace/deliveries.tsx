import { useState } from "preact/hooks";
import { type Answer, call, refresh, setKnown, useQuery } from "../../api/index.ts";
import { QueryState } from "../../page-parts/states.tsx";
import { Badge, Button, Dialog, Select, type Tone, toast } from "../../ui/index.ts";
import workspaceWords from "../../words/en/workspace.json";
import { eventTitle } from "../../words/event-title.ts";
import { timeText, useWords, type Words, whenText } from "../../words/index.ts";
import type { Endpoint } from "./endpoint.ts";
import "./deliveries.css";

const list = "GET /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries";
type Page = Answer<typeof list>;
type Delivery = Page["deliveries"][number];
type Status = Delivery["status"];

const statuses: readonly Status[] = ["pending", "delivered", "failed"];

type DeliveriesProps = {
  readonly workspaceId: string;
  readonly endpoint: Endpoint;
  readonly isAdmin: boolean;
  readonly onClose: () => void;
};

/**
 * Lists the latest deliveries to an endpoint with their results and responses. Administrators can send a delivery again
 * while the endpoint is enabled.
 */
export function Deliveries({ workspaceId, endpoint, isAdmin, onClose }: DeliveriesProps) {
  const words = useWords();
  const own = useWords(workspaceWords);
  const [status, setStatus] = useState<Status | "all">("all");
  const [isFurther, setFurther] = useState(false);
  const key = `deliveries/${endpoint.id}/${status}`;
  const path = { workspaceId, endpointId: endpoint.id };
  const read = (cursor?: string) =>
    call(list, { path, query: { limit: 30, status: status === "all" ? undefined : status, cursor } });
  const query = useQuery(key, () => read());
  const looks = looksOf(words);
  const further = async (page: Page) => {
    setFurther(true);
    try {
      const { deliveries, ...rest } = await read(page.nextCursor);
      setKnown<Page>(key, { ...rest, deliveries: [...page.deliveries, ...deliveries] });
    } finally {
      setFurther(false);
    }
  };
  const again = async ({ id }: Delivery) => {
    const name = "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries/:deliveryId/redeliver";
    await call(name, { path: { ...path, deliveryId: id } });
    toast(words.redelivered);
    await refresh(key);
  };
  return (
    <Dialog title={words.deliveries} text={endpoint.url} size="l" onClose={onClose}>
      <div class="deliveries-tools">
        <Select
          name={own.filter}
          value={status}
          options={[
            { value: "all", label: own.allDeliveries },
            ...statuses.map((value) => ({ value, label: looks[value][1] })),
          ]}
          onChange={setStatus}
        />
        <Button label={words.reload} icon="refresh-cw" busy={query.isLoading} onPress={() => void refresh(key)} />
      </div>
      <QueryState query={query}>
        {(page) =>
          page.deliveries.length === 0 ? (
            <p class="deliveries-none">{status === "all" ? words.noDeliveries : own.noneOfKind}</p>
          ) : (
            <>
              <ul class="deliveries">
                {page.deliveries.map((delivery) => (
                  <DeliveryEntry
                    key={delivery.id}
                    delivery={delivery}
                    look={looks[delivery.status]}
                    onAgain={isAdmin && endpoint.isEnabled ? () => void again(delivery) : undefined}
                  />
                ))}
              </ul>
              {page.nextCursor !== undefined && (
                <div class="deliveries-more">
                  <Button label={words.showMore} busy={isFurther} onPress={() => void further(page)} />
                </div>
              )}
            </>
          )
        }
      </QueryState>
    </Dialog>
  );
}

type Look = readonly [Tone, string, string];

function looksOf(words: Words): { readonly [Name in Status]: Look } {
  return {
    pending: ["neutral", words.deliveryPending, "clock"],
    delivered: ["good", words.deliveryDelivered, "circle-check"],
    failed: ["danger", words.deliveryFailed, "triangle-alert"],
  };
}

type EntryProps = { readonly delivery: Delivery; readonly look: Look; readonly onAgain: (() => void) | undefined };

function DeliveryEntry({ delivery, look: [tone, state, icon], onAgain }: EntryProps) {
  const words = useWords();
  const own = useWords(workspaceWords);
  const { type, attempts, createdAt, lastStatusCode, lastError, lastResponse, nextAttemptAt } = delivery;
  return (
    <li class="delivery">
      <div class="delivery-head">
        <strong>{eventTitle(type)}</strong>
        <Badge label={state} tone={tone} icon={icon} />
        <span class="delivery-facts">
          <time dateTime={createdAt} title={timeText(createdAt)}>
            {whenText(createdAt)}
          </time>
          {" · "}
          {words.attempts({ count: attempts })}
          {nextAttemptAt !== null && ` · ${own.nextAttempt({ when: whenText(nextAttemptAt) })}`}
        </span>
        {onAgain && <Button label={words.redeliver} size="s" icon="rotate-ccw" onPress={onAgain} />}
      </div>
      {(lastStatusCode !== null || lastError !== null) && (
        <details>
          <summary>{lastStatusCode === null ? own.showAnswer : own.answerOf({ status: lastStatusCode })}</summary>
          <pre dir="auto">
            {lastError ?? (lastResponse === null || lastResponse === "" ? own.emptyAnswer : lastResponse)}
          </pre>
        </details>
      )}
    </li>
  );
}
