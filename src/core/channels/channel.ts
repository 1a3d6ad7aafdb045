import type { Static, TObject } from "@sinclair/typebox";
import type { JsonObject } from "../interpreter/flow.ts";
import type { Loss, Piece } from "./pieces.ts";
import type { Texts } from "./texts.ts";
import type { Words } from "./words.ts";

/**
 * A type of messenger, as data and pure functions. A channel converts received bytes to events, and a bot's output to
 * requests, without a clock, randomness or network access. Each channel has its own folder and is registered in
 * `index.ts`.
 */
export type Channel<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  /** The channel's identifier in the API, such as `telegram`. */
  readonly type: string;
  readonly name: string;
  /** The path of the channel's documentation page, without `docs/`. */
  readonly page: string;
  /** The fields that a connection stores unencrypted. */
  readonly settings: Settings;
  /** The fields that are stored encrypted and never shown again. */
  readonly secrets: Secrets;
  /** The names of the secrets that the service generates. */
  readonly madeSecrets: readonly string[];
  /** Generates a secret from random bytes. */
  secretOf(random: Uint8Array): string;
  /** The operator's setting for the origin of the provider. Absent if each connection stores complete addresses. */
  readonly server?: ProviderSetting;
  /** The HTTPS ports that the provider can call. Absent if the caller is a custom program at any address. */
  readonly calledPorts?: readonly number[];
  readonly capabilities: Capabilities;
  /** Verifies a webhook call before its body is parsed. */
  verify(request: WebhookRequest, secrets: Static<Secrets>): WebhookVerdict;
  /**
   * Parses the body of a verified call for `read`. Returns undefined if the body has an unexpected format. If
   * `payloadIn` is absent, bodies are JSON.
   */
  payloadIn?(body: string): { readonly value: unknown } | undefined;
  /**
   * Converts a verified call to events. Every update results in an event, even if the update cannot be read. `self` is
   * the connection's own account, by which the channel recognises group messages addressed to the bot.
   */
  read(payload: unknown, self?: Self): readonly ChannelEvent[];
  /** Converts a piece of a step to messages. A piece that the channel does not show yields no message. */
  render(piece: Piece, context: RenderContext): Rendered;
  /** Returns the plain text of a message and the titles of its buttons, for people who read the conversation. */
  wordsOf(message: ProviderMessage): ProviderWords;
  /** Returns the request that sends a message. With `upload`, the request contains the file instead of its address. */
  call(message: ProviderMessage, to: Target, connection: Connection<Settings, Secrets>, upload?: Upload): ProviderCall;
  /** Adapts a message with a file to the file's type and size. Absent if the channel always sends addresses. */
  fitMedia?(message: ProviderMessage, file: MediaFacts): FittedMedia;
  /**
   * Returns headers with the time of sending and one signature per active secret. They are computed when the call is
   * sent. Absent if the channel needs no such headers.
   */
  stamp?(
    call: ProviderCall,
    at: { readonly messageId: string; readonly seconds: number },
    secretsInUse: readonly Static<Secrets>[],
  ): ProviderCall["headers"];
  /** Classifies the provider's response to a request. */
  readAnswer(answer: ProviderAnswer): SendVerdict;
  readonly signs: Signs;
  readonly plans: Plans<Settings, Secrets>;
  /** Polls for updates in place of webhook calls. Absent if the channel does not support polling. */
  readonly poll?: Poll<Settings, Secrets>;
  /** Locates a file that a contact sent. */
  findMedia(reference: string, connection: Connection<Settings, Secrets>): MediaPlan;
  readonly pace: Pace;
  /** Whether the ids of the channel's updates are consecutive numbers. */
  readonly isNumbered?: true;
  /** Commands that the connection handles, in addition to the commands in the connection's settings. */
  readonly commandWords?: Partial<Words>;
};

export type Connection<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  readonly settings: Static<Settings>;
  readonly secrets: Static<Secrets>;
};

/** The limits of a provider's messages. Lengths are in UTF-16 units. */
export type Capabilities = {
  readonly text: { readonly length: number; readonly spans?: number };
  readonly caption: { readonly length: number };
  readonly buttons: {
    /** The maximum number of buttons in one message. */
    readonly most: number;
    readonly title: number;
  };
  /** The maximum file size in bytes for each type of file. Absent if the channel only accepts addresses. */
  readonly media?: {
    readonly image: number;
    readonly video: number;
    readonly audio: number;
    readonly document: number;
  };
  /**
   * The limits of drafts, which show the text of an unfinished answer. A draft disappears after `seconds`. Absent if
   * the channel does not support drafts.
   */
  readonly drafts?: { readonly length: number; readonly seconds: number };
  readonly formatting: "spans" | "none";
};

/** An account, as its provider identifies it and as it is displayed. */
export type Self = { readonly externalId: string; readonly display: string | null };

export type WebhookRequest = {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/**
 * The result of verifying a webhook call. `challenge` is the exact response body. Nothing from a refused call is
 * stored.
 */
export type WebhookVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused" }
  | { readonly kind: "challenge"; readonly status: number; readonly body: string };

/** The provider's identifier of a person or group. */
export type Address = { readonly kind: "phone" | "user" | "parent_user" | "chat"; readonly value: string };

/** The person or group that an event comes from. */
export type ContactFacts = {
  readonly addresses: readonly Address[];
  readonly kind: "person" | "group";
  readonly name?: string;
  readonly username?: string;
  /** The language code reported by the provider, such as `de`. */
  readonly language?: string;
};

type FromContact = {
  /** The provider's event id. A repeated event has the same id. */
  readonly providerId: string;
  /** Milliseconds since the epoch by the provider's clock. Absent if the provider does not report a time. */
  readonly sentAt?: number;
  readonly contact: ContactFacts;
};

export type ChannelEvent =
  | (FromContact & { readonly kind: "message"; readonly content: Content; readonly quotedText?: string })
  /**
   * A button press. If the provider expects a response to the press, `noticeId` identifies the press. `messageId` is
   * the message with the button.
   */
  | (FromContact & {
      readonly kind: "tap";
      readonly token: string;
      readonly title?: string;
      readonly noticeId?: string;
      readonly messageId?: string;
    })
  | (FromContact & { readonly kind: "blocked"; readonly isBlocked: boolean })
  /** A change of a contact's address. */
  | (FromContact & { readonly kind: "identity"; readonly was: Address; readonly is: Address })
  /** A new delivery state or the failure of a message that the bot sent. */
  | {
      readonly kind: "status";
      readonly messageId: string;
      readonly state: "sent" | "delivered" | "read" | "failed";
      readonly code?: string;
    }
  /** An event that bots ignore, such as a reaction, an edit or a poll. */
  | (FromContact & { readonly kind: "ignored"; readonly what: string })
  /**
   * An update that does not match the channel's documentation. `start` contains the first 2,000 characters of the
   * update.
   */
  | { readonly kind: "unreadable"; readonly providerId: string; readonly why: string; readonly start: string };

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "command"; readonly command: string; readonly payload: string }
  | {
      readonly kind: "media";
      readonly media: "image" | "video" | "audio" | "voice" | "document" | "sticker" | "animation";
      /** The argument for `findMedia`. */
      readonly reference: string;
      readonly caption?: string;
      /** The file's name and type. They come from the sender's app and are untrusted. */
      readonly fileName?: string;
      readonly mimeType?: string;
      readonly bytes?: number;
    }
  | {
      readonly kind: "location";
      readonly latitude: number;
      readonly longitude: number;
      readonly name?: string;
      readonly address?: string;
    }
  | { readonly kind: "card"; readonly name: string; readonly phone?: string; readonly email?: string }
  | { readonly kind: "unsupported"; readonly what: string };

export type RenderContext = {
  readonly texts: Texts;
  /** Returns the token of a button. A token has at most 64 bytes and differs for each index. */
  token(index: number): string;
  /** The contact's progress with the question: the current page and the marked items. */
  readonly state?: ChoiceState;
  readonly isGroup: boolean;
};

export type ChoiceState = { readonly page: number; readonly chosen: readonly string[] };

/** The effect of a button, which either answers the question or changes how the question is displayed. */
export type Act =
  | { readonly kind: "reply"; readonly text: string; readonly replyId?: string }
  | { readonly kind: "mark"; readonly itemId: string }
  | { readonly kind: "send" }
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "skip" };

export type Rendered = {
  readonly messages: readonly ProviderMessage[];
  /** The effect of each button, by the button's token. */
  readonly acts: ReadonlyMap<string, Act>;
  /** The reasons why the contact sees less than the author intended. */
  readonly losses: readonly Loss[];
};

/** A message in the provider's format, without its recipient. */
export type ProviderMessage = {
  /** The provider's API method, such as `sendMessage`. */
  readonly method: string;
  readonly body: JsonObject;
  /** The key in `body` that contains a file's address, if the message has a file. */
  readonly mediaKey?: string;
  /** Set if the provider could not fetch the file from its address. The file is then uploaded. */
  readonly isUpload?: true;
  /** Set for a response to a button press. It has no recipient, because the press has its own id. */
  readonly isForNobody?: true;
};

/** A message as plain text. `choices` contains the titles of its buttons. */
export type ProviderWords = { readonly text: string; readonly choices: readonly string[] };

/** A file that is uploaded with a message. */
export type Upload = { readonly name: string; readonly type: string };

/** The properties of a message's file, determined from its bytes and reported by its server. */
export type MediaFacts = {
  /** The MIME type detected from the file's first bytes. */
  readonly type: string;
  /** The MIME type reported by the server, if the file is stored on another server. */
  readonly declaredType?: string | undefined;
  readonly bytes?: number | undefined;
  /** The dimensions of an image, if known. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
};

/**
 * `byAddress`: whether the provider can fetch the file from its address. `link`: the provider does not accept the file,
 * so a link is sent.
 */
export type FittedMedia =
  | { readonly kind: "fits"; readonly message: ProviderMessage; readonly byAddress: boolean }
  | { readonly kind: "link"; readonly why: string };

export type Target = { readonly address: Address; readonly messageId: string };

/** A request that must be sent through `safe-fetch`. The path may contain a secret and is never logged. */
export type ProviderCall = {
  readonly method: "GET" | "POST";
  /** A path below the provider's base URL, or the complete URL of a server that the connection specifies. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** A multipart form, sent instead of `body`. */
  readonly form?: {
    readonly fields: readonly (readonly [name: string, value: string])[];
    readonly file: Upload & { readonly field: string };
  };
};

export type ProviderAnswer = {
  /** Absent if no response arrived. */
  readonly status?: number;
  /** Whether the provider may have received the request before the connection ended. */
  readonly wasSent: boolean;
  readonly retryAfter?: string | undefined;
  readonly body: string;
};

export type FailureClass =
  | "auth"
  | "account"
  | "pace"
  | "pair"
  | "passing"
  | "window"
  | "unreachable"
  | "media"
  | "content";

/**
 * The result of sending a message. `doubt`: it is unknown whether the message was sent. `moved`: the contact has a new
 * address.
 */
export type SendVerdict =
  /** `mediaId`: the id with which the file can be sent again. */
  | { readonly kind: "accepted"; readonly providerId: string; readonly mediaId?: string }
  | { readonly kind: "retry"; readonly afterMs?: number; readonly scope: "contact" | "connection" }
  | { readonly kind: "failed"; readonly class: FailureClass; readonly code: string; readonly detail: string }
  | { readonly kind: "moved"; readonly to: Address }
  | { readonly kind: "doubt" };

/** Messages besides the content of a step: typing indicators, responses to presses, changed buttons and drafts. */
export type Signs = {
  /** Shows that the bot is typing. */
  typing?(): ProviderMessage;
  /** Returns the message that responds to a button press, optionally with a text. */
  answerTap?(noticeId: string, words: string | null): ProviderMessage;
  /** Removes or changes the buttons of a message. */
  changeButtons?(messageId: string, message: ProviderMessage | null): ProviderMessage;
  /** Shows unsaved text in place of the previous text with this id. An empty text means that the bot is thinking. */
  draft?(draftId: number, text: string): ProviderMessage;
};

export type Poll<Settings extends TObject, Secrets extends TObject> = {
  /** Returns the call that requests all updates after the given id. */
  call(after: number | undefined, connection: Connection<Settings, Secrets>): ProviderCall;
  /**
   * Returns the updates in a response, in the format of webhook calls, or undefined if the response contains no list of
   * updates.
   */
  updatesIn(answer: ProviderAnswer): readonly { readonly id: number; readonly payload: unknown }[] | undefined;
};

/** Either a call that returns the file's path, or the file's address. */
export type MediaPlan =
  | { readonly kind: "ask"; readonly call: ProviderCall; pathIn(answer: ProviderAnswer): string | undefined }
  | { readonly kind: "address"; readonly url: string };

/** The names of the operator's settings for provider addresses. */
export type ProviderSetting = "TELEGRAM_API_URL";

/** The calls that check a connection and register or unregister it with its provider. */
export type Plans<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  /** Returns the calls that test whether a connection works. Empty if the connection cannot be tested. */
  check(connection: Connection<Settings, Secrets>): readonly ProviderCall[];
  /** Evaluates the responses to the calls of `check`, in the order of the calls. */
  readCheck(
    answers: readonly ProviderAnswer[],
    connection: Connection<Settings, Secrets>,
    place: RegisteredPlace,
  ): Findings;
  /** Returns the calls that make the provider send events to the connection. The calls can be repeated safely. */
  register(connection: Connection<Settings, Secrets>, place: RegisteredPlace): readonly ProviderCall[];
  unregister(connection: Connection<Settings, Secrets>): readonly ProviderCall[];
  /** Returns the provider's error message, or undefined if the response is not an error. */
  problemIn(answer: ProviderAnswer): ProviderProblem | undefined;
};

/** The webhook address and the commands to register. The address is null if the service polls for updates instead. */
export type RegisteredPlace = { readonly webhookUrl: string | null; readonly commands: readonly string[] };

/** The provider's error message, which may contain a secret that was sent to the provider. */
export type ProviderProblem = { readonly code: string; readonly detail: string };

/** The account of a connection, if known, and the results of the check. */
export type Findings = {
  readonly externalId?: string;
  readonly display?: string;
  readonly points: readonly CheckPoint[];
};

export const checkNames = ["secrets", "account", "webhook", "delivery"] as const;
export const checkProblems = ["refused", "no_answer", "other_account", "unregistered", "elsewhere", "failing"] as const;

/**
 * The result of one check. `unknown`: the check could not be made, for example because the provider did not respond.
 */
export type CheckPoint = {
  readonly name: (typeof checkNames)[number];
  readonly state: "ok" | "wrong" | "unknown";
  readonly problem?: (typeof checkProblems)[number];
  /** The provider's own message. */
  readonly detail?: string;
};

/** The sustained number of messages per second, and the maximum burst. */
export type Rate = { readonly perSecond: number; readonly burst: number };
export type Pace = { readonly connection: Rate; readonly contact: Rate; readonly group: Rate };

/** Defines a channel and infers its types from its schemas. */
export function defineChannel<Settings extends TObject, Secrets extends TObject>(
  channel: Channel<Settings, Secrets>,
): Channel<Settings, Secrets> {
  return channel;
}
