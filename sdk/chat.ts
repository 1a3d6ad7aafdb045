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
 * One visitor's chat. Each reply has a key of its own, under which it is sent until it is answered: a reply whose
 * answer was lost counts once, also where it is sent again later. It says which step it answers: where the chat has
 * gone on elsewhere, it answers no question that this chat does not show.
 */
export class Chat {
  readonly sessionId: string;
  /** Undefined in previews: they keep no result. */
  readonly resultId: string | undefined;
  /** The bot, its theme and its settings, as visitors' clients get them. */
  readonly bot: StartedChat["bot"] | undefined;
  /** Every bubble so far. */
  readonly messages: Message[];
  /** The open input; undefined when there is none. */
  input: Input | undefined;
  /** 0 to 100. */
  progress: number;
  readonly #client: ParleyClient;
  #unanswered: { readonly reply: string; readonly key: string } | undefined;
  /** The number of the last step; undefined where the service does not say it. */
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

  /** Goes on with a chat that was begun before. */
  static async resume(client: ParleyClient, sessionId: string, options: CallOptions = {}): Promise<Chat> {
    const { session } = await client.getSession({ sessionId }, options);
    return new Chat(client, begunBefore(session));
  }

  /** Whether nothing more is asked or awaited. */
  get isEnded(): boolean {
    return this.progress === 100;
  }

  /**
   * Says something; a text, or one of the object forms. Where the chat has gone on elsewhere, it is brought up to date,
   * and the reply is given only to the question that was open here: if that was answered or is over, this throws
   * `session.moved_on`.
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
      // A refused reply was not taken: what is said next is another.
      if (error instanceof ParleyError && error.status >= 400 && error.status < 500) this.#unanswered = undefined;
      if (!(await this.#catchUp(error, options))) throw error;
    }
    return this.reply(message, options);
  }

  /**
   * Chooses items of the open input by their ids, several where it takes several. Items that share their words are kept
   * apart.
   */
  async choose(itemIds: string | readonly string[], options: CallOptions = {}): Promise<Step> {
    const ids = [itemIds].flat();
    const { items, isMultiple } = choiceIn(this.input);
    const text = chosenText(items, ids, isMultiple);
    if (text === undefined) throw new RangeError(`The open input has no item ${ids.join(", ")}.`);
    return this.reply({ type: "text", text, ...(!isMultiple && { metadata: { replyId: ids[0] ?? "" } }) }, options);
  }

  /**
   * Goes back to the last answer, to change it, where the bot allows that. Another one than this chat knows is not
   * taken back: `session.moved_on`.
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

  /** Uploads a file for the open input, and gives the address to reply with. */
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
   * Takes over what happened elsewhere, where an error says that something did. Whether the question that was open is
   * open still.
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
