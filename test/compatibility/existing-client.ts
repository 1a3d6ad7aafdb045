import { valueAt } from "../support/client.ts";
import { checkPreflight, checkReadable } from "./browser.ts";
import { createActions, type Outside } from "./client-actions.ts";
import { checkStart, checkStep, type Reply, type Started } from "./what-it-needs.ts";

/** How a client is embedded in its page. The variants differ only in when they start. */
export type Variant = "standard" | "bubble" | "popup";

export type Page = {
  readonly handle: (request: Request) => Promise<Response>;
  readonly publicId: string;
  readonly variant?: Variant;
  readonly origin?: string;
  /** The origin of the frame around the page. */
  readonly framedBy?: string;
  readonly isPreview?: boolean;
  /** A flow to use instead of the bot's published flow. */
  readonly flow?: object;
  readonly prefilledVariables?: Readonly<Record<string, unknown>>;
  /** The browser storage, which survives a reload. */
  readonly storage?: Map<string, string>;
  readonly outside?: Outside;
};

/** A request that the client sent. */
export type Sent = { readonly path: string; readonly body: unknown; readonly status: number };

/** Thrown when the visitor sees nothing new and cannot continue. */
export class Stuck extends Error {
  override readonly name = "Stuck";
}

/** One bubble as the visitor sees it. */
export type Seen = { readonly id: string; readonly type: string; readonly content: unknown };

export type ExistingClient = Awaited<ReturnType<typeof openPage>>;

/**
 * A client of the reference product, as its behaviour was observed from outside. It sends the same requests in the same
 * order, with the same headers and preflights. It throws where the real client crashes, shows a blank page, or leaves
 * its visitor stuck.
 */
export async function openPage(page: Page) {
  const { handle, publicId, variant = "standard", storage = new Map<string, string>() } = page;
  const origin = page.origin ?? "https://shop.example";
  const sent: Sent[] = [];
  const seen: Seen[] = [];
  const logs: unknown[] = [];
  let started: Started | undefined;
  let input: Readonly<Record<string, unknown>> | undefined;
  let isOver = false;
  let progress = 0;
  let ownLastBubble: string | undefined;

  const post = async (path: string, body: object, accept: string, isTold = true): Promise<Response> => {
    const custom = isTold && page.framedBy !== undefined ? { "x-typebot-iframe-referrer-origin": page.framedBy } : {};
    const url = `http://localhost${path}`;
    await checkPreflight(handle, { url, origin, method: "POST", headers: ["content-type", ...Object.keys(custom)] });
    const headers = { "Content-Type": "application/json", Accept: accept, Origin: origin, ...custom };
    const response = await handle(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
    checkReadable(response, `POST ${path}`);
    sent.push({ path, body, status: response.status });
    return response;
  };

  const actions = createActions({
    ...page.outside,
    stream: async (body) => post(`/api/v2/sessions/${sessionId()}/streamMessage`, body, "*/*", false),
    failed: async (description) => report([{ description }]),
  });

  const sessionId = (): string => {
    if (!started) throw new Stuck("Nothing was started");
    return started.sessionId;
  };

  const report = async (clientLogs: readonly object[]): Promise<void> => {
    await post(`/api/v2/sessions/${sessionId()}/clientLogs`, { clientLogs }, "application/json");
  };

  const show = async (reply: Reply): Promise<void> => {
    if (reply.progress) progress = reply.progress;
    if (reply.lastMessageNewFormat !== undefined) ownLastBubble = reply.lastMessageNewFormat;
    logs.push(...(reply.logs ?? []));
    const outcome = await actions.run(reply, (bubble) => seen.push(bubble));
    input = reply.input;
    if (outcome.reports) return proceed(outcome.message);
    isOver = input === undefined;
    if (isOver) storage.set(key("isEnded"), "true");
  };

  const proceed = async (message: unknown): Promise<void> => {
    const body = message === undefined ? {} : { message };
    const response = await post(`/api/v1/sessions/${sessionId()}/continueChat`, body, "application/json");
    if (!response.ok) {
      await report([{ description: "Failed to send the reply", details: await response.text() }]);
      throw new Stuck(`continueChat answered ${response.status}: the input is gone and nothing is shown`);
    }
    const reply = checkStep(await json(response));
    await show(reply);
    remember();
  };

  const key = (what: string): string => `typebot-${started?.typebot.id}-${what}`;

  const remember = (): void => {
    if (!started?.remembers || page.isPreview) return;
    storage.set(key("chatChunks"), JSON.stringify({ seen, input, progress }));
  };

  const start = async (): Promise<void> => {
    const prefilledVariables = page.prefilledVariables ?? {};
    const resultId = storage.get(`resultId-${publicId}`);
    const isPreview = page.isPreview || page.flow !== undefined;
    const path = isPreview
      ? `/api/v1/typebots/${publicId}/preview/startChat`
      : `/api/v1/typebots/${publicId}/startChat`;
    const request = isPreview
      ? { isStreamEnabled: true, typebot: page.flow ?? publicId, prefilledVariables }
      : {
          isStreamEnabled: true,
          isOnlyRegistering: false,
          prefilledVariables,
          ...(resultId !== undefined && { resultId }),
        };
    const response = await post(path, request, isPreview ? "application/json" : "*/*", !isPreview);
    if (!response.ok) throw new StartRefused(response.status, await response.json());
    const body = await json(response);
    const reply = checkStart(body, { isPreview });
    started = reply;
    if (reply.remembers && !isPreview) {
      if (await resume(reply, resultId)) return;
      for (const name of [...storage.keys()].filter((name) => name.startsWith(`typebot-${reply.typebot.id}`)))
        storage.delete(name);
      if (reply.resultId !== undefined) storage.set(`resultId-${publicId}`, reply.resultId);
      storage.set(key("initialChatReply"), JSON.stringify(body));
    }
    await show(reply);
  };

  /** Continues the stored chat in its session if the result and the publication are unchanged. */
  const resume = async (reply: Started, resultId: string | undefined): Promise<boolean> => {
    const text = storage.get(key("initialChatReply"));
    if (text === undefined || reply.resultId !== resultId) return false;
    const stored = checkStart(JSON.parse(text), { isPreview: false });
    if (stored.typebot.publishedAt !== reply.typebot.publishedAt) return false;
    started = stored;
    const chunks: unknown = JSON.parse(storage.get(key("chatChunks")) ?? "null");
    if (chunks === null) {
      await show(stored);
      return true;
    }
    const shown = checkStep({ messages: valueAt(chunks, "seen"), input: valueAt(chunks, "input") ?? null });
    seen.push(...shown.messages);
    input = shown.input;
    isOver = storage.get(key("isEnded")) === "true";
    return true;
  };

  if (variant === "standard") await start();
  return {
    sent,
    logs,
    storage,
    started: () => started,
    sessionId,
    input: () => input,
    isOver: () => isOver,
    progress: () => progress,
    /** The visitor's own last bubble, if the server reported how it was read. */
    ownLastBubble: () => ownLastBubble,
    /**
     * The bubbles of the page: texts as plain text, and other bubbles as their address or, if they have none, their
     * type.
     */
    seen: () => seen.map(readBubble),
    seenIds: () => seen.map(({ id }) => id),
    /** A bubble or a popup sends no request before it is opened. */
    open: start,
    /** Sends the message that the open input would send. */
    async answer(message: unknown): Promise<void> {
      if (input === undefined) throw new Stuck("There is no input to answer");
      input = undefined;
      await proceed(message);
    },
    command: (command: string) => proceed({ type: "command", command }),
    /** Sends an event of an embedded page. The flow then continues without an input. */
    event: (message?: unknown) => proceed(message),
    report,
    /** Uploads a file for the open input. Returns the address of the file in the form in which the client sends it. */
    async upload(file: { readonly name: string; readonly type: string; readonly content: string }): Promise<string> {
      const body = {
        sessionId: sessionId(),
        blockId: input?.["id"],
        fileName: file.name,
        fileType: file.type,
        fileSize: Buffer.byteLength(file.content),
      };
      const asked = await post("/api/v3/generate-upload-url", body, "*/*", false);
      const answer = await json(asked);
      if (!asked.ok) throw new UploadRefused(valueAt(answer, "message"));
      const address = String(valueAt(answer, "presignedUrl"));
      const headers = { "content-type": file.type, "cache-control": "public, max-age=86400" };
      await checkPreflight(handle, { url: address, origin, method: "PUT", headers: Object.keys(headers) });
      const put = new Request(address, { method: "PUT", headers: { ...headers, Origin: origin }, body: file.content });
      const stored = await handle(put);
      checkReadable(stored, "PUT of a file");
      if (!stored.ok) throw new UploadRefused(await stored.text());
      // The client encodes the last part a second time. This does not change names that need no encoding.
      const parts = String(valueAt(answer, "fileUrl")).split("/");
      return [...parts.slice(0, -1), encodeURIComponent(parts.at(-1) ?? "")].join("/");
    },
  };
}

/** Thrown for a rejected upload. The message is the sentence that the client shows in a note. */
export class UploadRefused extends Error {
  override readonly name = "UploadRefused";

  constructor(sentence: unknown) {
    super(typeof sentence === "string" ? sentence : "A note without words");
  }
}

/** Thrown for a rejected start. The client shows the reason as the only sentence on the page. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`The start was refused with ${status}`);
    this.status = status;
    this.body = body;
  }

  /** The message of the response, which the client shows for the statuses 400 and 403. */
  get sentence(): unknown {
    return this.status === 400 || this.status === 403 ? valueAt(this.body, "message") : undefined;
  }
}

function readBubble({ type, content }: Seen): unknown {
  return type === "text" ? plainText(valueAt(content, "richText")) : (valueAt(content, "url") ?? type);
}

function plainText(nodes: unknown): string {
  if (!Array.isArray(nodes)) return "";
  return nodes
    .map((node) => {
      const text = valueAt(node, "text");
      return typeof text === "string" ? text : plainText(valueAt(node, "children"));
    })
    .join("");
}

async function json(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Stuck(`An answer that is not JSON: ${text.slice(0, 80)}`);
  }
}
