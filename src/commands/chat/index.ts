import type { AddCommand } from "../command.ts";
import { defaultUrl } from "../service-options.ts";

export const addChat: AddCommand = (program, { environment, print, tell }) => {
  program
    .command("chat")
    .description("Chat with a published bot in the terminal.")
    .argument("<bot>", "the bot's public id, or the URL of its page")
    .option("--url <address>", "the address of the service", defaultUrl(environment))
    .action(async (bot: string, { url }: { readonly url: string }) => {
      const { talk } = await import("./talk.ts");
      const { readPlace } = await import("./client.ts");
      await talk(readPlace(bot, url), { print, tell, lines: linesOf(Bun.stdin.stream()) });
    });
};

/**
 * Yields the lines of a stream on demand. Lines that arrive early, for example from a pipe, stay in the stream's
 * buffer.
 */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
