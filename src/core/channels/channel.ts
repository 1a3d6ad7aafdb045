import type { Static, TObject } from "@sinclair/typebox";
import type { JsonObject } from "../interpreter/flow.ts";
import type { Loss, Piece } from "./pieces.ts";
import type { Texts } from "./texts.ts";
import type { Words } from "./words.ts";

/**
 * A kind of messenger, as data and pure functions: it turns bytes into events, and a bot's output into requests. It
 * uses no clock, no chance and no network. Each channel has one folder, which `index.ts` names.
 */
export type Channel<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  /** The channel's word in the API, such as `telegram`. */
  readonly type: string;
  /** The channel's name for people. */
  readonly name: string;
  /** The channel's page of the documentation, without `docs/`. */
  readonly page: string;
  /** The fields that a connection stores unencrypted. */
  readonly settings: Settings;
  /** The fields that are sealed, and never shown after that. */
  readonly secrets: Secrets;
  /** The secrets that the service makes itself. */
  readonly madeSecrets: readonly string[];
  /** Makes such a secret from random bytes. */
  secretOf(random: Uint8Array): string;
  /** The setting with the origin of the channel's provider. Absent: each connection names whole addresses. */
  readonly server?: ProviderSetting;
  /** The ports that the provider calls, by https only. Absent: the caller is a custom program, at any address. */
  readonly calledPorts?: readonly number[];
  readonly capabilities: Capabilities;
  /** Judges a call to the connection's webhook, before its body is read. */
  verify(request: WebhookRequest, secrets: Static<Secrets>): WebhookVerdict;
  /** Parses the body of a verified call for `read`; undefined if the body has another form. Absent: bodies are JSON. */
  payloadIn?(body: string): { readonly value: unknown } | undefined;
  /**
   * Reads a verified call. Every update gives an event, even if it cannot be read. `self`: the account that the
   * connection speaks for, so that it recognises messages of a group to it.
   */
  read(payload: unknown, self?: Self): readonly ChannelEvent[];
  /** Turns a piece of a step into messages. No messages: this channel does not show the piece. */
  render(piece: Piece, context: RenderContext): Rendered;
  /** The plain words of a message, for people who read the conversation. */
  wordsOf(message: ProviderMessage): ProviderWords;
  /** The request that sends a message; with `upload` it contains the file itself instead of its address. */
  call(message: ProviderMessage, to: Target, connection: Connection<Settings, Secrets>, upload?: Upload): ProviderCall;
  /** The form in which a message with a file is sent, by the kind of the file. Absent: the channel takes addresses. */
  fitMedia?(message: ProviderMessage, file: MediaFacts): FittedMedia;
  /**
   * Headers that are added when a call leaves, since they contain its time: a signature by each of the secrets in use.
   * Absent: none.
   */
  stamp?(
    call: ProviderCall,
    at: { readonly messageId: string; readonly seconds: number },
    secretsInUse: readonly Static<Secrets>[],
  ): ProviderCall["headers"];
  /** Judges the answer to a request. */
  readAnswer(answer: ProviderAnswer): SendVerdict;
  readonly signs: Signs;
  readonly plans: Plans<Settings, Secrets>;
  /** Asks for updates if no webhook can be reached. Absent: the channel cannot be polled. */
  readonly poll?: Poll<Settings, Secrets>;
  /** Finds a file that a contact has sent. */
  findMedia(reference: string, connection: Connection<Settings, Secrets>): MediaPlan;
  readonly pace: Pace;
  /** Whether the ids of the channel's updates are consecutive numbers. */
  readonly isNumbered?: true;
  /** Commands of the channel's apps that the connection itself handles, beside the words of its settings. */
  readonly commandWords?: Partial<Words>;
};

export type Connection<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  readonly settings: Static<Settings>;
  readonly secrets: Static<Secrets>;
};

/** The bounds of a provider's messages. Lengths are UTF-16 units. The page and the day of reading are beside them. */
export type Capabilities = {
  readonly text: { readonly length: number; readonly spans?: number };
  readonly caption: { readonly length: number };
  readonly buttons: {
    /** In one message. Further buttons are on further pages. */
    readonly most: number;
    readonly title: number;
  };
  /** The largest file of each kind in bytes; absent: the channel takes only an address. */
  readonly media?: {
    readonly image: number;
    readonly video: number;
    readonly audio: number;
    readonly document: number;
  };
  /**
   * The text of an unfinished answer, which disappears after this many seconds. Absent: the channel shows no drafts.
   */
  readonly drafts?: { readonly length: number; readonly seconds: number };
  readonly formatting: "spans" | "none";
};

/** An account as its provider identifies it, and as people see it. */
export type Self = { readonly externalId: string; readonly display: string | null };

/** A call as it was received. */
export type WebhookRequest = {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** `challenge` is the exact answer. No part of a refused call is stored. */
export type WebhookVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused" }
  | { readonly kind: "challenge"; readonly status: number; readonly body: string };

/** How a provider identifies a person or a group. */
export type Address = { readonly kind: "phone" | "user" | "parent_user" | "chat"; readonly value: string };

/** The sender of an event. */
export type ContactFacts = {
  readonly addresses: readonly Address[];
  readonly kind: "person" | "group";
  readonly name?: string;
  readonly username?: string;
  /** The language as the provider reports it, such as `de`. */
  readonly language?: string;
};

type FromContact = {
  /** The provider's own id: a repeated event has the same id. */
  readonly providerId: string;
  /** Milliseconds since the epoch, by the provider's clock; absent if the provider gives none. */
  readonly sentAt?: number;
  readonly contact: ContactFacts;
};

/** An event that a provider reports. */
export type ChannelEvent =
  | (FromContact & { readonly kind: "message"; readonly content: Content; readonly quotedText?: string })
  /**
   * A button was pressed. `noticeId` answers the press if the provider expects an answer; `messageId` is the message
   * above the button.
   */
  | (FromContact & {
      readonly kind: "tap";
      readonly token: string;
      readonly title?: string;
      readonly noticeId?: string;
      readonly messageId?: string;
    })
  | (FromContact & { readonly kind: "blocked"; readonly isBlocked: boolean })
  /** The address of a contact has changed. */
  | (FromContact & { readonly kind: "identity"; readonly was: Address; readonly is: Address })
  /** A message of ours has reached a later state, or failed. */
  | {
      readonly kind: "status";
      readonly messageId: string;
      readonly state: "sent" | "delivered" | "read" | "failed";
      readonly code?: string;
    }
  /** An event that bots do not read: a reaction, an edit, a poll. */
  | (FromContact & { readonly kind: "ignored"; readonly what: string })
  /** An update that differs from the channel's documentation. `start`: its first 2,000 characters. */
  | { readonly kind: "unreadable"; readonly providerId: string; readonly why: string; readonly start: string };

/** The content of a contact's message. */
export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "command"; readonly command: string; readonly payload: string }
  | {
      readonly kind: "media";
      readonly media: "image" | "video" | "audio" | "voice" | "document" | "sticker" | "animation";
      /** The argument of `findMedia`. */
      readonly reference: string;
      readonly caption?: string;
      /** The file's name and type as the sender's app reports them; neither is trusted. */
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
  /** The data of a button: at most 64 bytes, and different for each number. */
  token(index: number): string;
  /** The contact's progress with this question: pages turned, items marked. */
  readonly state?: ChoiceState;
  readonly isGroup: boolean;
};

export type ChoiceState = { readonly page: number; readonly chosen: readonly string[] };

/** The effect of a button: it answers the question, or changes how the question is shown. */
export type Act =
  | { readonly kind: "reply"; readonly text: string; readonly replyId?: string }
  | { readonly kind: "mark"; readonly itemId: string }
  | { readonly kind: "send" }
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "skip" };

export type Rendered = {
  readonly messages: readonly ProviderMessage[];
  /** The act of each token in these messages. */
  readonly acts: ReadonlyMap<string, Act>;
  /** Why the contact sees less than the author intended. */
  readonly losses: readonly Loss[];
};

/** A message as the provider takes it, without its recipient. */
export type ProviderMessage = {
  /** The provider's method, such as `sendMessage`. */
  readonly method: string;
  readonly body: JsonObject;
  /** The key of `body` that holds a file's address: the file itself is sent instead if it fits. */
  readonly mediaKey?: string;
  /** The provider could not read the file by its address, so the file itself is sent. */
  readonly isUpload?: true;
  /** Whether the message is for a press, which has its own id, and not for a contact. */
  readonly isForNobody?: true;
};

/** A message in plain words; `choices`: the titles of its buttons. */
export type ProviderWords = { readonly text: string; readonly choices: readonly string[] };

/** A file that is sent with a message. */
export type Upload = { readonly name: string; readonly type: string };

/** A file of a message, as its bytes and its server describe it. */
export type MediaFacts = {
  /** The type that its first bytes show. */
  readonly type: string;
  /** The type that its server reports, if the file is on another server. */
  readonly declaredType?: string | undefined;
  readonly bytes?: number | undefined;
  /** The size of a picture, if known. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
};

/** `byAddress`: the provider fetches the file from its address. `link`: the file fits no form. */
export type FittedMedia =
  | { readonly kind: "fits"; readonly message: ProviderMessage; readonly byAddress: boolean }
  | { readonly kind: "link"; readonly why: string };

/** The recipient of a message. */
export type Target = { readonly address: Address; readonly messageId: string };

/** A request, to be sent through the single way out. Its path may hold a secret, and is never logged. */
export type ProviderCall = {
  readonly method: "GET" | "POST";
  /** Below the provider's base, or the whole address of a server that the connection names. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** A form with these fields and a file, in place of `body`. */
  readonly form?: {
    readonly fields: readonly (readonly [name: string, value: string])[];
    readonly file: Upload & { readonly field: string };
  };
};

export type ProviderAnswer = {
  /** Absent: no answer arrived. */
  readonly status?: number;
  /** Whether the provider may have read the request before the connection ended. */
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

/** `doubt`: the message may have been sent, or not. `moved`: the contact has another address now. */
export type SendVerdict =
  /** `mediaId`: the id by which the file can be sent again. */
  | { readonly kind: "accepted"; readonly providerId: string; readonly mediaId?: string }
  | { readonly kind: "retry"; readonly afterMs?: number; readonly scope: "contact" | "connection" }
  | { readonly kind: "failed"; readonly class: FailureClass; readonly code: string; readonly detail: string }
  | { readonly kind: "moved"; readonly to: Address }
  | { readonly kind: "doubt" };

/** Calls for signs only: best effort, never repeated, never before a step is saved. */
export type Signs = {
  /** Shows that the bot is writing. */
  typing?(): ProviderMessage;
  /** Answers a press, with or without words. */
  answerTap?(noticeId: string, words: string | null): ProviderMessage;
  /** Removes or changes the buttons of a message. */
  changeButtons?(messageId: string, message: ProviderMessage | null): ProviderMessage;
  /**
   * Shows words that are not saved yet, instead of the earlier words with this number; no words: the bot is thinking.
   */
  draft?(draftId: number, text: string): ProviderMessage;
};

export type Poll<Settings extends TObject, Secrets extends TObject> = {
  /** The updates after this id. */
  call(after: number | undefined, connection: Connection<Settings, Secrets>): ProviderCall;
  /** The updates in an answer, each as the webhook would have sent it; undefined if the answer holds none. */
  updatesIn(answer: ProviderAnswer): readonly { readonly id: number; readonly payload: unknown }[] | undefined;
};

/** A call that returns the place of a file and how to fetch it; or the file's address itself. */
export type MediaPlan =
  | { readonly kind: "ask"; readonly call: ProviderCall; pathIn(answer: ProviderAnswer): string | undefined }
  | { readonly kind: "address"; readonly url: string };

/** The operator's settings for the addresses of providers. */
export type ProviderSetting = "TELEGRAM_API_URL";

/** How a connection is checked, registered with its provider, and unregistered. */
export type Plans<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  /** The calls that show whether a connection works; none: no server can be asked. */
  check(connection: Connection<Settings, Secrets>): readonly ProviderCall[];
  /** Reads their answers, in the order of the calls. */
  readCheck(
    answers: readonly ProviderAnswer[],
    connection: Connection<Settings, Secrets>,
    place: RegisteredPlace,
  ): Findings;
  /** The calls after which the provider reports to the connection. They may be repeated. */
  register(connection: Connection<Settings, Secrets>, place: RegisteredPlace): readonly ProviderCall[];
  unregister(connection: Connection<Settings, Secrets>): readonly ProviderCall[];
  /** The reason why an answer to such a call is not a success. */
  problemIn(answer: ProviderAnswer): ProviderProblem | undefined;
};

/** The registered address; null if the service polls for updates instead. */
export type RegisteredPlace = { readonly webhookUrl: string | null; readonly commands: readonly string[] };

/** In the provider's own words, which may hold a secret that was sent to it. */
export type ProviderProblem = { readonly code: string; readonly detail: string };

/** The account that a connection speaks for, if the provider names it, and the findings of the check. */
export type Findings = {
  readonly externalId?: string;
  readonly display?: string;
  readonly points: readonly CheckPoint[];
};

export const checkNames = ["secrets", "account", "webhook", "delivery"] as const;
export const checkProblems = ["refused", "no_answer", "other_account", "unregistered", "elsewhere", "failing"] as const;

/** `unknown`: no server could be asked. */
export type CheckPoint = {
  readonly name: (typeof checkNames)[number];
  readonly state: "ok" | "wrong" | "unknown";
  readonly problem?: (typeof checkProblems)[number];
  /** The provider's own words. */
  readonly detail?: string;
};

/** Messages a second, and the most at once. */
export type Rate = { readonly perSecond: number; readonly burst: number };
export type Pace = { readonly connection: Rate; readonly contact: Rate; readonly group: Rate };

/** Gives a channel the types of its own schemas. */
export function defineChannel<Settings extends TObject, Secrets extends TObject>(
  channel: Channel<Settings, Secrets>,
): Channel<Settings, Secrets> {
  return channel;
}
