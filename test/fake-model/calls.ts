import type { AskedModel } from "./server.ts";

/** A tool call in OpenAI's format. */
export type FakeCall = {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
};

type Message = { readonly role: string; readonly content: string };

/**
 * Returns the tool calls that a conversation requests from the fake model. The first round uses the user's lines `call
 * NAME ARGUMENTS` before an empty line, the second round uses the lines before the next empty line, and so on. A line
 * that begins with `always` is used in every round, and the word MEGABYTE is replaced by a megabyte of text.
 */
export function wantedCalls(body: AskedModel["body"]): FakeCall[] {
  if (!Array.isArray(body["tools"])) return [];
  const { lines, round } = roundOf(body);
  return lines.flatMap((line, index): FakeCall[] => {
    const [, name, given = ""] = /^(?:always )?call (\S+) ?(.*)$/.exec(line) ?? [];
    const called = { name: name ?? "", arguments: given.replace("MEGABYTE", "x".repeat(1024 * 1024)) };
    return name ? [{ id: `call_${round}_${index}`, type: "function", function: called }] : [];
  });
}

/** Returns the words of the lines `say …` in this round. */
export function sayings(body: AskedModel["body"]): string[] {
  return roundOf(body).lines.flatMap((line) => /^say (.*)$/.exec(line)?.[1]?.match(/\S+\s*/g) ?? []);
}

/** Returns the tool results of the last round, or undefined if the conversation does not end with tool results. */
export function toolResultIn(body: AskedModel["body"]): string | undefined {
  const messages = messagesOf(body);
  const lastSaid = messages.findLastIndex(({ role }) => role !== "tool");
  const told = messages.slice(lastSaid + 1).map(({ content }) => content);
  return told.length === 0 ? undefined : told.join(" | ");
}

function roundOf(body: AskedModel["body"]): { lines: string[]; round: number } {
  const messages = messagesOf(body);
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const round = messages.slice(lastUser).filter(({ role }) => role === "assistant").length;
  const text = messages[lastUser]?.content ?? "";
  const own = text.split("\n\n")[round] ?? "";
  const always = text.split("\n").filter((line) => line.startsWith("always "));
  return { lines: [...new Set([...own.split("\n"), ...always])], round };
}

function messagesOf({ messages }: AskedModel["body"]): Message[] {
  return Array.isArray(messages) ? messages : [];
}
