import { chosenText } from "./chosen-text.ts";
import type { ParleyClient } from "./client.ts";
import { ParleyError } from "./error.ts";
import type {
  ContinueChatInput,
  GetSessionOutput,
  Input,
  Message,
  StartChatInput,
  StartedChat,
  StartedPreview,
  StartPreviewInput,
  Step,
  StepBack,
} from "./generated.ts";
import type { CallOptions } from "./operation.ts";

type Reply = NonNullable<ContinueChatInput["body"]>["message"];

/**
 * The chat of one visitor. Retries of a reply use the same idempotency key, so a reply counts only once. Each reply
 * also contains the number of the step that it answers, so it cannot answer a newer question if the chat has continued
 * elsewhere.
 */
export class Chat {
  readonly sessionId: string;
  /** Undefined in previews, which store no result. */
  readonly resultId: string | undefined;
  /**
   * The bot with its theme and settings, as sent to visitors' clients. Undefined if a resumed session does not contain
   * the bot.
   */
  readonly bot: StartedChat["bot"] | undefined;
  /** The bubbles of the chat so far. */
  readonly messages: Message[];
  /** The current input. Undefined if the chat expects no input. */
  input: Input | undefined;
  /** The progress of the chat, from 0 to 100. */
  progress: number;
  readonly #client: ParleyClient;
  #unanswered: { readonly reply: string; readonly key: string } | undefined;
  /** The number of the last step. Undefined if the service does not report it. */
  #revision: number | undefined;

  private constructor(client: ParleyClient, begun: Begun) {
    this.#client = client;
    this.sessionId = begun.sessionId;
    this.resultId = begun.resultId;
    this.bot = begun.bot;
    this.messages = [...begun.messages];
    this.input = begun.input;
    this.progress = begun.progress;
    this.#revision = begun.revision;
  }

  /** Starts a chat with a published bot. */
  static async start(
    client: ParleyClient,
    publicId: string,
    body: StartChatInput["body"] = {},
    options: CallOptions = {},
  ): Promise<Chat> {
    return new Chat(client, await client.startChat({ botId: publicId, body }, options));
  }

  /** Starts a preview of a bot's draft, or of the flow in `body.bot`. */
  static async preview(
    client: ParleyClient,
    botId: string,
    body: StartPreviewInput["body"] = {},
    options: CallOptions = {},
  ): Promise<Chat> {
    return new Chat(client, await client.startPreview({ botId, body }, options));
  }

  /** Resumes an existing chat. */
  static async resume(client: ParleyClient, sessionId: string, options: CallOptions = {}): Promise<Chat> {
    const { session } = await client.getSession({ sessionId }, options);
    return new Chat(client, begunBefore(session));
  }

  /** Whether the chat has ended and expects no further input. */
  get isEnded(): boolean {
    return this.progress === 100;
  }

  /**
   * Sends a reply, either a text or an object. If the chat has continued elsewhere, this object is updated. The reply
   * is then sent again if the same question is still open. Otherwise, `session.moved_on` is thrown.
   */
  async reply(message: Reply, options: CallOptions = {}): Promise<Step> {
    const reply = JSON.stringify(message) ?? "null";
    if (this.#unanswered?.reply !== reply) {
      this.#unanswered = { reply, key: options.idempotencyKey ?? crypto.randomUUID() };
    }
    const { key } = this.#unanswered;
    try {
      const step = await this.#client.continueChat(
        { sessionId: this.sessionId, body: { message, ...this.#known() } },
        { ...options, idempotencyKey: key },
      );
      this.#unanswered = undefined;
      this.messages.push(...step.messages);
      this.#take(step);
      return step;
    } catch (error) {
      // A rejected reply was not processed, so the next reply gets a new key.
      if (error instanceof ParleyError && error.status >= 400 && error.status < 500) this.#unanswered = undefined;
      if (!(await this.#catchUp(error, options))) throw error;
    }
    return this.reply(message, options);
  }

  /**
   * Replies with items of the current input, selected by their ids. More than one item is sent only if the input
   * accepts several. Throws a `RangeError` if none of the ids belongs to an item of the input.
   */
  async choose(itemIds: string | readonly string[], options: CallOptions = {}): Promise<Step> {
    const ids = [itemIds].flat();
    const { items, isMultiple } = choiceIn(this.input);
    const text = chosenText(items, ids, isMultiple);
    if (text === undefined) throw new RangeError(`The open input has no item ${ids.join(", ")}.`);
    return this.reply({ type: "text", text, ...(!isMultiple && { metadata: { replyId: ids[0] ?? "" } }) }, options);
  }

  /**
   * Goes back to the last answer so that the visitor can change it, if the bot allows this. Throws `session.moved_on`
   * if the chat has continued elsewhere.
   */
  async goBack(options: CallOptions = {}): Promise<StepBack> {
    try {
      const step = await this.#client.goBack({ sessionId: this.sessionId, body: this.#known() }, options);
      this.#unanswered = undefined;
      this.#take(step);
      return step;
    } catch (error) {
      await this.#catchUp(error, options);
      throw error;
    }
  }

  /** Uploads a file for the current input, and returns the URL to reply with. */
  async upload(file: Blob, fileName: string, options: CallOptions = {}): Promise<string> {
    const { presignedUrl, fileUrl } = await this.#client.requestUpload(
      {
        body: {
          sessionId: this.sessionId,
          blockId: this.input?.id ?? "",
          fileName,
          fileType: file.type || "application/octet-stream",
          fileSize: file.size,
        },
      },
      options,
    );
    const token = decodeURIComponent(new URL(presignedUrl).pathname.split("/").at(-1) ?? "");
    const headers = { "content-type": file.type || "application/octet-stream", ...options.headers };
    await this.#client.uploadFile({ token, body: file }, { ...options, headers });
    return fileUrl;
  }

  #known(): { readonly afterRevision?: number } {
    return this.#revision === undefined ? {} : { afterRevision: this.#revision };
  }

  #take({ input, progress, revision }: Pick<Begun, "input" | "progress" | "revision">): void {
    this.input = input;
    this.progress = progress;
    this.#revision = revision;
  }

  /**
   * Updates this object if the error reports that the chat has continued elsewhere. Returns whether the previously open
   * question is still open.
   */
  async #catchUp(error: unknown, { headers, signal }: CallOptions): Promise<boolean> {
    if (!(error instanceof ParleyError) || error.code !== "session.moved_on") return false;
    const read = { ...(headers && { headers }), ...(signal && { signal }) };
    const { session } = await this.#client.getSession({ sessionId: this.sessionId }, read);
    const now = begunBefore(session);
    this.messages.splice(0, this.messages.length, ...now.messages);
    this.#take(now);
    const { isStillAsked, revision } = error.data ?? {};
    return isStillAsked === true && revision === now.revision;
  }
}

function choiceIn(input: Input | undefined): { items: readonly unknown[]; isMultiple: boolean } {
  if (input?.type !== "choice input" && input?.type !== "picture choice input") return { items: [], isMultiple: false };
  return { items: input.items ?? [], isMultiple: input.options?.isMultipleChoice === true };
}

type Begun = Pick<StartedPreview, "sessionId" | "messages" | "input" | "progress" | "revision"> & {
  readonly resultId?: string | undefined;
  readonly bot?: StartedChat["bot"] | undefined;
};

function begunBefore({ id, resultId, bot, steps, input, progress, revision }: GetSessionOutput["session"]): Begun {
  const messages = steps.flatMap((step) => step.messages);
  return { sessionId: id, resultId: resultId ?? undefined, bot: bot ?? undefined, messages, input, progress, revision };
}
