import type { Static, TObject } from "@sinclair/typebox";
import type { JsonObject } from "../interpreter/flow.ts";
import type { Loss, Piece } from "./pieces.ts";
import type { Texts } from "./texts.ts";
import type { Words } from "./words.ts";

/**
 * A kind of messenger, as data and pure functions: it turns bytes into events, and what a bot says into requests. It
 * knows no clock, no chance and no network. One channel is one folder, which `index.ts` names.
 */
export type Channel<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  /** Its word in the API, such as `telegram`. */
  readonly type: string;
  /** Its name for people. */
  readonly name: string;
  /** Its page of the documentation, without `docs/`. */
  readonly page: string;
  /** The fields that a connection stores openly. */
  readonly settings: Settings;
  /** The fields that are sealed, and never shown again. */
  readonly secrets: Secrets;
  /** The secrets that the service makes itself. */
  readonly madeSecrets: readonly string[];
  /** A secret of these, made of random bytes. */
  secretOf(random: Uint8Array): string;
  /** The setting with the origin of its provider. Absent: each connection names whole addresses. */
  readonly server?: ProviderSetting;
  /** The ports that the provider calls, by https alone. Absent: the caller is somebody's own program, anywhere. */
  readonly calledPorts?: readonly number[];
  readonly capabilities: Capabilities;
  /** Judges a call to the connection's webhook, before anything of it is read. */
  verify(request: WebhookRequest, secrets: Static<Secrets>): WebhookVerdict;
  /** Parses the body of a verified call for `read`; undefined if it has another form. Absent: bodies are JSON. */
  payloadIn?(body: string): { readonly value: unknown } | undefined;
  /**
   * Reads a verified call. Every update gives an event, even if it cannot be read. `self`: whom the connection speaks
   * for, so that it knows what a group says to it.
   */
  read(payload: unknown, self?: Self): readonly ChannelEvent[];
  /** Turns a piece of a step into messages. None: this channel says nothing for it. */
  render(piece: Piece, context: RenderContext): Rendered;
  /** The plain words of a message, for people who read the conversation. */
  wordsOf(message: ProviderMessage): ProviderWords;
  /** The request that sends a message; with `upload` the file itself goes along, in place of its address. */
  call(message: ProviderMessage, to: Target, connection: Connection<Settings, Secrets>, upload?: Upload): ProviderCall;
  /** The form in which a message with a file is sent, by what the file is. Absent: the channel takes addresses. */
  fitMedia?(message: ProviderMessage, file: MediaFacts): FittedMedia;
  /**
   * Headers that a call gets as it leaves, since they hold its time: a signature by each of the secrets in use. Absent:
   * none.
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
  /** Asks for updates, where no webhook can be reached. Absent: the channel has none. */
  readonly poll?: Poll<Settings, Secrets>;
  /** Finds a file that a contact has sent. */
  findMedia(reference: string, connection: Connection<Settings, Secrets>): MediaPlan;
  readonly pace: Pace;
  /** Whether the ids of its updates are numbers that follow each other. */
  readonly isNumbered?: true;
  /** Commands of its apps that mean something to the connection itself, beside the words of its settings. */
  readonly commandWords?: Partial<Words>;
};

export type Connection<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  readonly settings: Static<Settings>;
  readonly secrets: Static<Secrets>;
};

/**
 * The bounds of a provider's messages. Lengths are UTF-16 units. The page and the day they were read are beside them.
 */
export type Capabilities = {
  readonly text: { readonly length: number; readonly spans?: number };
  readonly caption: { readonly length: number };
  readonly buttons: {
    /** In one message. Further ones are on further pages. */
    readonly most: number;
    readonly title: number;
  };
  /** The largest file of each kind in bytes; absent: the channel takes an address alone. */
  readonly media?: {
    readonly image: number;
    readonly video: number;
    readonly audio: number;
    readonly document: number;
  };
  /** Words of an answer that is not finished, which are gone after so many seconds. Absent: it shows none. */
  readonly drafts?: { readonly length: number; readonly seconds: number };
  readonly formatting: "spans" | "none";
};

/** An account as its provider knows it, and as people see it. */
export type Self = { readonly externalId: string; readonly display: string | null };

/** A call as it came. */
export type WebhookRequest = {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** `challenge` is answered with exactly this. Nothing of a refused call is stored. */
export type WebhookVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused" }
  | { readonly kind: "challenge"; readonly status: number; readonly body: string };

/** How a provider knows a person or a group. */
export type Address = { readonly kind: "phone" | "user" | "parent_user" | "chat"; readonly value: string };

/** The sender of an event. */
export type ContactFacts = {
  readonly addresses: readonly Address[];
  readonly kind: "person" | "group";
  readonly name?: string;
  readonly username?: string;
  /** As the provider says it, such as `de`. */
  readonly language?: string;
};

type FromContact = {
  /** The provider's own id: the same thing has the same one each time. */
  readonly providerId: string;
  /** Milliseconds since the epoch, by the provider's clock; absent if it tells none. */
  readonly sentAt?: number;
  readonly contact: ContactFacts;
};

/** One thing that a provider reports. */
export type ChannelEvent =
  | (FromContact & { readonly kind: "message"; readonly content: Content; readonly quotedText?: string })
  /** A button was pressed. `noticeId` answers it where the provider wants that; `messageId` is what it stood below. */
  | (FromContact & {
      readonly kind: "tap";
      readonly token: string;
      readonly title?: string;
      readonly noticeId?: string;
      readonly messageId?: string;
    })
  | (FromContact & { readonly kind: "blocked"; readonly isBlocked: boolean })
  /** An address of a contact has become another one. */
  | (FromContact & { readonly kind: "identity"; readonly was: Address; readonly is: Address })
  /** A message of ours has come further, or failed. */
  | {
      readonly kind: "status";
      readonly messageId: string;
      readonly state: "sent" | "delivered" | "read" | "failed";
      readonly code?: string;
    }
  /** Nothing that a bot reads: a reaction, an edit, a poll. */
  | (FromContact & { readonly kind: "ignored"; readonly what: string })
  /** Not what this channel documents. `start`: its first 2,000 characters. */
  | { readonly kind: "unreadable"; readonly providerId: string; readonly why: string; readonly start: string };

/** The content of a contact's message. */
export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "command"; readonly command: string; readonly payload: string }
  | {
      readonly kind: "media";
      readonly media: "image" | "video" | "audio" | "voice" | "document" | "sticker" | "animation";
      /** `findMedia` gets it. */
      readonly reference: string;
      readonly caption?: string;
      /** The file's name and type as the sender's app says; neither is believed. */
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

/** The effect of a button: it answers, or it changes how the question is shown. */
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
  /** Why the contact sees less than the author wrote. */
  readonly losses: readonly Loss[];
};

/** A message as the provider takes it, but for whom it is for. */
export type ProviderMessage = {
  /** The provider's method, such as `sendMessage`. */
  readonly method: string;
  readonly body: JsonObject;
  /** The key of `body` that holds a file's address: the file itself is sent in its place where it fits. */
  readonly mediaKey?: string;
  /** Its provider could not read the file by its address, and is sent the file. */
  readonly isUpload?: true;
  /** Whether it is about something else than a contact: a press, which has an id of its own. */
  readonly isForNobody?: true;
};

/** A message in plain words; `choices`: the titles of its buttons. */
export type ProviderWords = { readonly text: string; readonly choices: readonly string[] };

/** A file that goes along with a message. */
export type Upload = { readonly name: string; readonly type: string };

/** A file of a message, as its bytes and its server say. */
export type MediaFacts = {
  /** By its first bytes. */
  readonly type: string;
  /** As its server says, where it is on another one. */
  readonly declaredType?: string | undefined;
  readonly bytes?: number | undefined;
  /** The size of a picture, where it is known. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
};

/** `byAddress`: its provider takes it from its address. `link`: no form holds it. */
export type FittedMedia =
  | { readonly kind: "fits"; readonly message: ProviderMessage; readonly byAddress: boolean }
  | { readonly kind: "link"; readonly why: string };

/** Whom a message is for. */
export type Target = { readonly address: Address; readonly messageId: string };

/** A request, to be sent by the one way out. The path may hold a secret: it is never logged. */
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
  /** Absent: no answer came. */
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
  /** `mediaId`: by which its file can be sent again. */
  | { readonly kind: "accepted"; readonly providerId: string; readonly mediaId?: string }
  | { readonly kind: "retry"; readonly afterMs?: number; readonly scope: "contact" | "connection" }
  | { readonly kind: "failed"; readonly class: FailureClass; readonly code: string; readonly detail: string }
  | { readonly kind: "moved"; readonly to: Address }
  | { readonly kind: "doubt" };

/** Calls that are only signs: best effort, never repeated, never before a step is saved. */
export type Signs = {
  /** Shows that the bot is writing. */
  typing?(): ProviderMessage;
  /** Answers a press, with words or without. */
  answerTap?(noticeId: string, words: string | null): ProviderMessage;
  /** Takes the buttons from a message, or changes them. */
  changeButtons?(messageId: string, message: ProviderMessage | null): ProviderMessage;
  /** Shows words that are not saved yet, in place of the earlier ones with this number; none: the bot is thinking. */
  draft?(draftId: number, text: string): ProviderMessage;
};

export type Poll<Settings extends TObject, Secrets extends TObject> = {
  /** The updates after this id. */
  call(after: number | undefined, connection: Connection<Settings, Secrets>): ProviderCall;
  /** The updates in an answer, each as the webhook would have sent it; undefined if it holds none. */
  updatesIn(answer: ProviderAnswer): readonly { readonly id: number; readonly payload: unknown }[] | undefined;
};

/** A call that tells where a file is, and how to fetch it then; or the file's address itself. */
export type MediaPlan =
  | { readonly kind: "ask"; readonly call: ProviderCall; pathIn(answer: ProviderAnswer): string | undefined }
  | { readonly kind: "address"; readonly url: string };

/** The settings of the operator that name where providers are. */
export type ProviderSetting = "TELEGRAM_API_URL";

/** How a connection is checked, registered with its provider, and taken back. */
export type Plans<Settings extends TObject = TObject, Secrets extends TObject = TObject> = {
  /** The calls that show whether a connection works; none: nobody can be asked. */
  check(connection: Connection<Settings, Secrets>): readonly ProviderCall[];
  /** Reads their answers, in the order of the calls. */
  readCheck(
    answers: readonly ProviderAnswer[],
    connection: Connection<Settings, Secrets>,
    place: RegisteredPlace,
  ): Findings;
  /** The calls by which the provider reports to the connection from now on. They may be repeated. */
  register(connection: Connection<Settings, Secrets>, place: RegisteredPlace): readonly ProviderCall[];
  unregister(connection: Connection<Settings, Secrets>): readonly ProviderCall[];
  /** Why an answer to one of these calls is no success. */
  problemIn(answer: ProviderAnswer): ProviderProblem | undefined;
};

/** The registered address; null if the service polls for updates instead. */
export type RegisteredPlace = { readonly webhookUrl: string | null; readonly commands: readonly string[] };

/** In the provider's own words, which may hold a secret that was sent to it. */
export type ProviderProblem = { readonly code: string; readonly detail: string };

/** Whom a connection speaks for, where the provider says so, and what was found of it. */
export type Findings = {
  readonly externalId?: string;
  readonly display?: string;
  readonly points: readonly CheckPoint[];
};

export const checkNames = ["secrets", "account", "webhook", "delivery"] as const;
export const checkProblems = ["refused", "no_answer", "other_account", "unregistered", "elsewhere", "failing"] as const;

/** `unknown`: nobody could be asked. */
export type CheckPoint = {
  readonly name: (typeof checkNames)[number];
  readonly state: "ok" | "wrong" | "unknown";
  readonly problem?: (typeof checkProblems)[number];
  /** The provider's own words. */
  readonly detail?: string;
};

/** Messages a second, and how many at once. */
export type Rate = { readonly perSecond: number; readonly burst: number };
export type Pace = { readonly connection: Rate; readonly contact: Rate; readonly group: Rate };

/** Types a channel by its own schemas. */
export function defineChannel<Settings extends TObject, Secrets extends TObject>(
  channel: Channel<Settings, Secrets>,
): Channel<Settings, Secrets> {
  return channel;
}
