import { textAt, valueAt } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import type { CheckPoint, Plans, ProviderAnswer, ProviderProblem } from "../channel.ts";
import { callOf, type secrets, type settings } from "./connection.ts";
import { allowedUpdates } from "./read.ts";

/** The commands of every bot, with the descriptions that Telegram displays. */
const ownCommands = [
  { command: "start", description: "Start" },
  { command: "restart", description: "Start again" },
  { command: "stop", description: "Stop messages" },
];

/** Source: https://core.telegram.org/bots/api#setmycommands, read on 2026-11-29. */
const mostCommands = 100;

/** A request for the bot's own account (`getMe`) shows whether the token is valid. */
export const plans: Plans<typeof settings, typeof secrets> = {
  check: (connection) => [callOf("getMe", {}, connection), callOf("getWebhookInfo", {}, connection)],
  readCheck([me, info], _connection, { webhookUrl }) {
    const bot = resultIn(me);
    const id = valueAt(bot, "id");
    const username = textAt(bot, "username");
    const problem = me ? problemIn(me) : undefined;
    return {
      ...(typeof id === "number" && { externalId: String(id) }),
      ...(username !== undefined && { display: `@${username}` }),
      points: [
        problem === undefined ? { name: "secrets", state: "ok" } : secretsPoint(problem),
        ...(info ? webhookPoints(info, webhookUrl) : []),
      ],
    };
  },
  register(connection, { webhookUrl, commands }) {
    const of = {
      url: webhookUrl,
      secret_token: connection.secrets.secretToken,
      allowed_updates: allowedUpdates,
      max_connections: 40,
      drop_pending_updates: false,
    };
    const own = new Set(ownCommands.map(({ command }) => command));
    const others = [...new Set(commands)].filter((command) => /^[a-z0-9_]{1,32}$/.test(command) && !own.has(command));
    const all = [...ownCommands, ...others.map((command) => ({ command, description: command }))];
    return [
      webhookUrl === null
        ? callOf("deleteWebhook", { drop_pending_updates: false }, connection)
        : callOf("setWebhook", of, connection),
      callOf("setMyCommands", { commands: all.slice(0, mostCommands) }, connection),
    ];
  },
  unregister: (connection) => [
    callOf("deleteWebhook", { drop_pending_updates: false }, connection),
    callOf("deleteMyCommands", {}, connection),
  ],
  problemIn,
};

function problemIn({ status, body }: ProviderAnswer): ProviderProblem | undefined {
  const answer = parseUntrustedJson(body)?.value;
  if (valueAt(answer, "ok") === true) return undefined;
  if (status === undefined) return { code: "", detail: "No response was received." };
  return {
    code: String(status),
    detail: textAt(answer, "description") ?? `The server responded with status ${status}.`,
  };
}

function resultIn(answer: ProviderAnswer | undefined): unknown {
  return answer && valueAt(parseUntrustedJson(answer.body)?.value, "result");
}

/**
 * Converts an error from Telegram to the check point of the token. Telegram responds with "not found" if the token in
 * the path is unknown.
 */
function secretsPoint({ code, detail }: ProviderProblem): CheckPoint {
  const isRefused = code === "401" || code === "404";
  return isRefused
    ? { name: "secrets", state: "wrong", problem: "refused", detail }
    : { name: "secrets", state: "unknown", problem: "no_answer", detail };
}

/**
 * Returns the check points of the webhook. The webhook address of another service is not shown because it may contain a
 * secret.
 */
function webhookPoints(info: ProviderAnswer, webhookUrl: string | null): CheckPoint[] {
  const problem = problemIn(info);
  if (problem) return [{ name: "webhook", state: "unknown", problem: "no_answer", detail: problem.detail }];
  const result = resultIn(info);
  const url = textAt(result, "url") ?? "";
  if (url !== (webhookUrl ?? "")) {
    return [{ name: "webhook", state: "wrong", problem: url === "" ? "unregistered" : "elsewhere" }];
  }
  const failure = textAt(result, "last_error_message");
  const delivery: CheckPoint =
    failure === undefined
      ? { name: "delivery", state: "ok" }
      : { name: "delivery", state: "wrong", problem: "failing", detail: failure };
  return [{ name: "webhook", state: "ok" }, ...(webhookUrl === null ? [] : [delivery])];
}
