import type { BotDependencies } from "../../management/bots/drafts/dependencies.ts";
import type { FileDependencies } from "../../management/files/dependencies.ts";
import type { InsightNotes } from "../../management/insight/insight-notes.ts";
import type { PaymentDependencies } from "../../management/payments/payments-of-step.ts";
import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import type { KeyedLimiter } from "../../platform/concurrency/limiter.ts";
import type { ClientHooks } from "../client-hooks.ts";
import type { BotCache } from "../reads/bot-cache.ts";
import type { CallbackTokens } from "../reads/callback-addresses.ts";
import type { Reads } from "../reads/reads.ts";
import type { DatabaseClock, SessionCache } from "../reads/session-cache.ts";
import type { SessionReaders } from "../reads/session-readers.ts";
import type { SuggestionTokens } from "../reads/suggestion-tokens.ts";
import type { ClaimRenewals } from "../saves/claim-renewals.sql.ts";
import type { ReportStatements } from "../saves/effect-reports.sql.ts";
import type { Saves } from "../saves/saves.ts";
import type { ShownStarts } from "../shown/shown-starts.ts";
import type { Threads } from "../threads/threads.ts";
import type { AnswersElsewhere } from "./answers-elsewhere.ts";
import type { AnswersUnderWay } from "./answers-under-way.ts";
import type { ClaimTimes } from "./claims.ts";
import type { StepWatch } from "./step-watch.ts";

export type ChatDependencies = BotDependencies &
  PaymentDependencies &
  FileDependencies & {
    readonly threads: Threads;
    readonly reads: Reads;
    readonly databaseClock: DatabaseClock;
    readonly claimRenewals: ClaimRenewals;
    readonly sessionCache: SessionCache;
    readonly botCache: BotCache;
    readonly saves: Saves;
    /** Queues results and page views for counting. */
    readonly insightNotes: InsightNotes;
    /** Stores the reports of effects while their step is running. */
    readonly reports: ReportStatements;
    /** Runs the steps of each session in this process one at a time. */
    readonly stepLimiter: KeyedLimiter;
    /** The steps of this process that wait for calls, and the readers of their progress. */
    readonly answersUnderWay: AnswersUnderWay;
    /** Exchanges the progress of steps with other processes. */
    readonly answersElsewhere: AnswersElsewhere;
    /** The requests that wait for steps of a session. */
    readonly sessionReaders: SessionReaders;
    /** Creates the tokens of callback URLs, with which other programs call chats. */
    readonly callbackTokens: CallbackTokens;
    /** Signs the suggestions that are sent to chats. */
    readonly suggestionTokens: SuggestionTokens;
    /** Encrypts the facts of a first step that a page has shown before its chat started. */
    readonly shownStarts: ShownStarts;
    /** Counts and times steps. */
    readonly stepWatch: StepWatch;
    /** The differences between chats of existing clients and other chats. */
    readonly clientHooks: ClientHooks;
    readonly claimTimes: ClaimTimes;
    /** Limits the starts whose first step is running or being saved. */
    readonly startsUnderWay: FairShare<"workspace">;
  };
