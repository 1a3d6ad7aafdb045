import { valueAt } from "../support/client.ts";
import type { Action, Bubble, Reply } from "./what-it-needs.ts";
import { Crash } from "./what-it-needs.ts";

/** The capabilities of the page's browser, provided by tests. */
export type Outside = {
  /** Answers requests that the page sends for the flow. */
  readonly fetch?: (request: { readonly url: unknown; readonly method: unknown; readonly body: unknown }) => unknown;
  /** Whether the page's policy forbids scripts. */
  readonly forbidsScripts?: boolean;
  /** Called with the text so far whenever a part of an answer is drawn. */
  readonly grows?: (text: string) => void;
  /** Replaces the client's handling of a stream. Returns the text that the client draws, and its report. */
  readonly streams?: (draw: () => Promise<string>) => Promise<{ readonly drawn?: string; readonly reported?: string }>;
  /** Called with actions that need no report. */
  readonly done?: (type: string, payload: unknown) => void;
};

type Tools = Outside & {
  stream(body: object): Promise<Response>;
  failed(description: string): Promise<void>;
};

/** The outcome of a response's actions: whether the client reports back without the visitor, and with which message. */
export type Outcome = { readonly reports: boolean; readonly message?: unknown };

/** Runs the actions of a response in the client's order, between the bubbles. */
export function createActions(tools: Tools) {
  const run = async (reply: Reply, show: (bubble: Bubble) => void): Promise<Outcome> => {
    const waiting = [...reply.clientSideActions];
    let outcome: Outcome = { reports: false };
    const runThose = async (bubbleId: string | undefined): Promise<void> => {
      while (waiting[0] && waiting[0].lastBubbleBlockId === bubbleId) {
        const [action] = waiting.splice(0, 1);
        if (action) outcome = await perform(action, show);
      }
    };
    await runThose(undefined);
    for (const bubble of reply.messages) {
      show(bubble);
      await runThose(bubble.id);
    }
    if (waiting.length > 0) throw new Crash(`The action ${waiting[0]?.type} never runs`);
    return outcome;
  };

  const perform = async (
    { type, payload, expectsDedicatedReply }: Action,
    show: (bubble: Bubble) => void,
  ): Promise<Outcome> => {
    switch (type) {
      case "setVariable":
        return { reports: true, message: { type: "text", text: await resultOf(valueAt(payload, "scriptToExecute")) } };
      case "httpRequestToExecute":
        return { reports: true, message: { type: "text", text: await request(payload) } };
      case "stream":
      case "streamOpenAiChatCompletion": {
        const { drawn, reported } = await streamed(type === "stream" ? {} : { messages: valueAt(payload, "messages") });
        if (drawn !== undefined) show(streamedBubble(drawn));
        return { reports: true, ...(reported !== undefined && { message: { type: "text", text: reported } }) };
      }
      case "wait":
        return { reports: expectsDedicatedReply };
      case "scriptToExecute":
      case "codeToExecute":
      case "chatwoot":
        await resultOf(type === "chatwoot" ? valueAt(payload, "scriptToExecute") : payload);
        break;
      default:
        break;
    }
    tools.done?.(type, payload);
    return { reports: false };
  };

  const resultOf = async (script: unknown): Promise<string> => {
    const content = valueAt(script, "content");
    if (typeof content !== "string") throw new Crash("A script without content");
    const source = content.includes("return ") ? content : `return ${content}`;
    try {
      if (tools.forbidsScripts) throw new Error("unsafe-eval");
      const { names, values } = argumentsOf(valueAt(script, "args"));
      const value: unknown = await new Function(...names, source)(...values);
      return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    } catch (error) {
      await tools.failed(String(error));
      return content;
    }
  };

  const request = async (payload: unknown): Promise<string> => {
    const asked = { url: valueAt(payload, "url"), method: valueAt(payload, "method"), body: valueAt(payload, "body") };
    try {
      if (!tools.fetch) throw new Error("The page reaches nobody");
      return JSON.stringify({ statusCode: 200, data: await tools.fetch(asked) });
    } catch (error) {
      return JSON.stringify({ statusCode: 500, data: String(error) });
    }
  };

  const streamed = async (body: object): Promise<{ readonly drawn?: string; readonly reported?: string }> => {
    const draw = async () => growing(await tools.stream(body), tools.grows);
    if (tools.streams) return tools.streams(draw);
    const drawn = await draw();
    return { drawn, reported: drawn };
  };

  return { run };
}

/** Reads a stream, and draws its pieces as they arrive. Returns the whole text. */
export async function growing(response: Response, grows: (text: string) => void = () => {}): Promise<string> {
  const decoder = new TextDecoder();
  let lines = "";
  for await (const piece of response.body ?? []) {
    lines += decoder.decode(piece, { stream: true });
    if (lines.includes("0:")) grows(readStream(lines, response.ok));
  }
  return readStream(lines, response.ok);
}

function streamedBubble(text: string): Bubble {
  return { id: "streamed", type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } };
}

/** Returns the text of a stream, as the client joins it. Throws if the stream would leave the visitor stuck. */
export function readStream(lines: string, isOk: boolean): string {
  if (!isOk) throw new Crash("A stream that is refused leaves the visitor stuck");
  if (!lines.endsWith("\n")) throw new Crash("A line without its end is held back");
  const texts = lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, code = "", json = ""] = /^([0-9a-k]):(.*)$/.exec(line) ?? [];
      if (!"02389abcdefghijk".includes(code) || code === "") throw new Crash(`An unknown line: ${line}`);
      if (code === "3") throw new Crash("An error line leaves the visitor stuck");
      const value: unknown = JSON.parse(json);
      return code === "0" && typeof value === "string" ? value : "";
    });
  if (texts.join("") === "") throw new Crash("A stream without text leaves the visitor stuck");
  return texts.join("");
}

function argumentsOf(given: unknown): { names: string[]; values: unknown[] } {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  return {
    names: list.map((argument) => String(valueAt(argument, "id"))),
    values: list.map((argument) => valueAt(argument, "value")),
  };
}
