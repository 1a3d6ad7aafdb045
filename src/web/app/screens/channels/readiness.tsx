import { useState } from "preact/hooks";
import { call, isRecord, refresh, useQuery } from "../../api/index.ts";
import { Button, ConfirmDialog, toast } from "../../ui/index.ts";
import channelWords from "../../words/en/channels.json";
import { useWords } from "../../words/index.ts";

type Props = { readonly botId: string; readonly name: string; readonly isAdmin: boolean };

/** Explains why a bot of the list never answers. Administrators can fix some of the reasons with a button. */
export function Readiness({ botId, name, isAdmin }: Props) {
  const words = useWords(channelWords);
  const [isAsking, setAsking] = useState(false);
  const query = useQuery(`bots/${botId}/messengers`, () => readState(botId));
  const state = query.value;
  if (state === undefined || state === "ready") return null;
  const letAnswer = async () => {
    await letBotAnswer(botId);
    await Promise.all([query.again(), refresh(`bots/${botId}`)]);
    toast(words.answersNow({ name }));
  };
  return (
    <span class="channel-bot-problem">
      {words.notAnswering[state]}
      {isAdmin && (state === "unpublished" || state === "off") && (
        <Button label={words.letAnswer} size="s" onPress={() => setAsking(true)} />
      )}
      {isAsking && (
        <ConfirmDialog
          title={words.letAnswerTitle({ name })}
          text={words.letAnswerText}
          action={words.letAnswer}
          onConfirm={letAnswer}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}

async function readState(botId: string): Promise<"ready" | "unpublished" | "off" | "closed" | "archived"> {
  const path = { botId };
  const [{ bot }, { publishedBot }] = await Promise.all([
    call("GET /api/v1/bots/:botId", { path }),
    call("GET /api/v1/bots/:botId/publishedBot", { path, query: {} }),
  ]);
  if (bot.isArchived) return "archived";
  if (publishedBot === null) return "unpublished";
  if (bot.isClosed) return "closed";
  return messengersOf(publishedBot.settings)["isEnabled"] === true ? "ready" : "off";
}

/**
 * Enables messengers in the draft and publishes it. If another person changes the draft in between, the update is
 * refused.
 */
async function letBotAnswer(botId: string): Promise<void> {
  const path = { botId };
  const { bot } = await call("GET /api/v1/bots/:botId", { path });
  const messenger = messengersOf(bot.settings);
  if (messenger["isEnabled"] !== true) {
    const settings = { ...bot.settings, messenger: { ...messenger, isEnabled: true } };
    await call("PATCH /api/v1/bots/:botId", { path, body: { bot: { settings, updatedAt: bot.updatedAt } } });
  }
  await call("POST /api/v1/bots/:botId/publish", { path, body: {} });
}

function messengersOf(settings: object): Readonly<Record<string, unknown>> {
  const messenger: unknown = Reflect.get(settings, "messenger");
  return isRecord(messenger) ? messenger : {};
}
