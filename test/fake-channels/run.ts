import { parseArgs } from "node:util";
import { startFakeChannels } from "./phone/index.ts";

// `npm run fake-channels -- --port 12200` starts fake messengers, and a page that shows the phone of a person who chats
// with a bot.
const { values } = parseArgs({ options: { port: { type: "string", default: "12200" } } });
const channels = await startFakeChannels({ port: Number(values.port) });
const say = (line: string): void => void process.stdout.write(`${line}\n`);
for (const line of [
  `A phone to try bots on: ${channels.url}`,
  `A fake Telegram answers at ${channels.telegram.url}; the token of its bot is ${channels.telegram.token}`,
  `An app of your own takes messages at ${channels.own.url}`,
  "Start the service in another terminal with these settings:",
  `TELEGRAM_API_URL=${channels.telegram.url} OUTGOING_ALLOW=${new URL(channels.own.url).host} npm start`,
])
  say(line);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void channels.close().then(() => process.exit(0)));
}
