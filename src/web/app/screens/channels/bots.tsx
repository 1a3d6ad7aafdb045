import { useState } from "preact/hooks";
import { allPages, call, request, useQuery } from "../../api/index.ts";
import { contextOf, withValueAt } from "../../credentials/credentials-form.ts";
import { Form, useFlowSchemas } from "../../forms/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { Part } from "../../page-parts/sections.tsx";
import { refusedToast } from "../../page-parts/submit.ts";
import { Link } from "../../routing/router.ts";
import { Banner, Combobox, EmptyState, IconButton, Skeleton, Switch } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";
import type { ConnectionProps } from "./overview.tsx";
import { Readiness } from "./readiness.tsx";
import { type ConnectionBot, one, readConnection } from "./service.ts";

/** The maximum number of bots that are checked. A list contains up to a hundred bots, and each check is a request. */
const mostLookedAt = 20;

type Change = (bots: readonly ConnectionBot[]) => readonly ConnectionBot[];

/**
 * The bots of a connection in their order. A message starts the first enabled bot whose condition matches, or otherwise
 * the first enabled bot without a condition.
 */
export function Bots({ workspaceId, connection, isAdmin, onChanged }: ConnectionProps) {
  const words = useWords(channelWords);
  // The list with a change that is being saved. It is shown instead of the loaded list until the connection is loaded
  // again.
  const [changing, setChanging] = useState<{ readonly bots: readonly ConnectionBot[]; readonly since: string }>();
  const entries = changing?.since === connection.updatedAt ? changing.bots : connection.bots;
  const [editing, setEditing] = useState<string>();
  const names = useQuery(`channel-bots/${workspaceId}`, async () => {
    const bots = await allPages(
      (page) => call("GET /api/v1/bots", { query: { workspaceId, ...page } }),
      (answer) => answer.bots,
    );
    return new Map(bots.map(({ id, name }) => [id, name]));
  }).value;
  if (!names) return <Skeleton rows={4} />;
  // Reads the list again before the change, because another person may have changed it.
  const send = async (change: (now: readonly ConnectionBot[]) => readonly object[]) => {
    const { channelConnection: now } = await readConnection(workspaceId, connection.id);
    await request(`PATCH ${one}`, {
      path: { workspaceId, connectionId: connection.id },
      body: { bots: change(now.bots) },
    });
    await onChanged();
  };
  const save = async (change: Change) => {
    setChanging({ bots: change(entries), since: connection.updatedAt });
    try {
      await send(change);
    } catch (cause) {
      setChanging(undefined);
      refusedToast(cause);
    }
  };
  const open = entries.flatMap((entry, index) => (entry.isEnabled && !hasCondition(entry) ? [index] : []));
  const edited = entries.find(({ botId }) => botId === editing);
  const free = [...names].filter(([id]) => !entries.some(({ botId }) => botId === id));
  return (
    <Part title={words.bots} text={words.botsText}>
      {entries.length === 0 && <EmptyState icon="message-circle" title={words.noBots} text={words.noBotsText} />}
      {open.length > 1 && <Banner text={words.secondNeverAnswers} tone="warning" />}
      <ol class="channel-bots">
        {entries.map((entry, index) => {
          const name = names.get(entry.botId) ?? words.goneBot;
          return (
            <li key={entry.botId}>
              <div class="channel-bot-name">
                {names.has(entry.botId) ? <Link to={`/bots/${entry.botId}`}>{name}</Link> : name}
                <span class="app-cell-detail">{conditionText(entry, words)}</span>
                {index < mostLookedAt && entry.isEnabled && names.has(entry.botId) && (
                  <Readiness botId={entry.botId} {...{ name, isAdmin }} />
                )}
              </div>
              {isAdmin && (
                <div class="channel-bot-acts">
                  <Switch
                    label={words.isAsked({ name })}
                    isLabelHidden
                    isChecked={entry.isEnabled}
                    onChange={(isEnabled) =>
                      void save((now) => now.map((each) => (isSame(each, entry) ? { ...each, isEnabled } : each)))
                    }
                  />
                  <IconButton
                    icon="arrow-up"
                    label={words.moveUp({ name })}
                    isDisabled={index === 0}
                    onPress={() => void save((now) => moved(now, entry, -1))}
                  />
                  <IconButton
                    icon="arrow-down"
                    label={words.moveDown({ name })}
                    isDisabled={index === entries.length - 1}
                    onPress={() => void save((now) => moved(now, entry, 1))}
                  />
                  <IconButton
                    icon="pencil"
                    label={words.editCondition({ name })}
                    onPress={() => setEditing(entry.botId)}
                  />
                  <IconButton
                    icon="trash-2"
                    label={words.takeOff({ name })}
                    onPress={() => void save((now) => now.filter((each) => !isSame(each, entry)))}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      {isAdmin && (
        <Combobox
          label={words.addBot}
          value=""
          options={free.map(([value, label]) => ({ value, label }))}
          noneLabel={words.noFreeBot}
          onChange={(botId) => void (botId && save((now) => added(now, { botId, isEnabled: true })))}
        />
      )}
      {edited && (
        <ConditionDialog
          name={names.get(edited.botId) ?? ""}
          entry={edited}
          onSave={(entry) => send((now) => now.map((each) => (isSame(each, edited) ? { ...each, ...entry } : each)))}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Part>
  );
}

function isSame(one: ConnectionBot, other: ConnectionBot): boolean {
  return one.botId === other.botId;
}

function added(bots: readonly ConnectionBot[], entry: ConnectionBot): readonly ConnectionBot[] {
  return bots.some((each) => isSame(each, entry)) ? bots : [...bots, entry];
}

function moved(bots: readonly ConnectionBot[], entry: ConnectionBot, by: -1 | 1): readonly ConnectionBot[] {
  const index = bots.findIndex((each) => isSame(each, entry));
  const found = bots[index];
  return found ? bots.toSpliced(index, 1).toSpliced(Math.max(0, index + by), 0, found) : bots;
}

type ConditionProps = {
  readonly name: string;
  readonly entry: ConnectionBot;
  readonly onSave: (entry: object) => Promise<void>;
  readonly onClose: () => void;
};

/**
 * Edits which first messages start the bot on this connection, and when its chats end. Empty fields use the bot's
 * settings.
 */
function ConditionDialog({ name, entry, onSave, onClose }: ConditionProps) {
  const shared = useWords();
  const words = useWords(channelWords);
  const schema = useFlowSchemas()?.settings.properties?.["messenger"];
  const { startCondition, sessionExpiryTimeout } = entry;
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>({ startCondition, sessionExpiryTimeout });
  // The service rejects invalid values, and the errors are shown beside the fields.
  const save = async () => {
    await onSave({ startCondition: undefined, sessionExpiryTimeout: undefined, ...typed });
    onClose();
  };
  return (
    <FormDialog
      title={words.conditionOf({ name })}
      text={words.conditionText}
      size="m"
      action={shared.save}
      required={{}}
      send={save}
      onClose={onClose}
    >
      {(errorOf) =>
        schema ? (
          <Form
            schema={schema}
            value={typed}
            only={["startCondition", "sessionExpiryTimeout"]}
            hasUnknown={false}
            onSet={(at, value) => setTyped((now) => withValueAt(now, at, value))}
            context={contextOf(schema, errorOf)}
          />
        ) : (
          <Skeleton rows={3} />
        )
      }
    </FormDialog>
  );
}

function hasCondition({ startCondition }: ConnectionBot): boolean {
  return (startCondition?.comparisons ?? []).some(({ comparisonOperator, value }) => comparisonOperator && value);
}

function conditionText(entry: ConnectionBot, words: ReturnType<typeof useWords<"channels">>): string {
  if (entry.startCondition === undefined) return words.asBotSays;
  if (!hasCondition(entry)) return words.everyMessage;
  const texts = (entry.startCondition?.comparisons ?? []).flatMap(({ comparisonOperator, value }) =>
    comparisonOperator && value ? [`${comparisonOperator} “${value}”`] : [],
  );
  const joiner = entry.startCondition?.logicalOperator === "OR" ? words.or : words.and;
  return words.whenMessage({ condition: texts.join(` ${joiner} `) });
}
