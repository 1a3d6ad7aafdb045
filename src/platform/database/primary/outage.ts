import postgres from "postgres";
import { codeOf } from "../../thrown.ts";

/**
 * A temporary failure of the database, so the same may succeed later:
 * - `lost`: the connection ended or could not be opened. Whether the statement was executed is unknown.
 * - `refused`: the server accepts no statement of this kind at the moment. It did nothing, and would do nothing for
 *   others.
 * - `interrupted`: this one statement met another, a lock or a timeout. It did nothing; alone it may succeed at
 *   once.
 */
export type OutageKind = "lost" | "refused" | "interrupted";

type Outage = {
  readonly codes: RegExp;
  /** A server's error that ends the connection is `lost`, whatever its code. */
  readonly kind: OutageKind;
  /** The problem, in words that any reader may see. */
  readonly says: string;
  /** The remedy that the operator reads at a start. */
  readonly advice: string;
  /** Another server of the same database would give the same answer. */
  readonly isOfSettings?: true;
};

const address = "Correct DATABASE_URL, or start the database.";
const storage = "Look at the log of the database's server, and at its disk.";
const again = "Start again in a moment.";
const ofSettings = { isOfSettings: true } as const;

/**
 * The first matching entry counts. SQLSTATEs have five characters; the other codes are the driver's, Bun's and ours.
 */
const outages: readonly Outage[] = [
  row(/^53100$/, "refused", "its disk is full", "Make room on the disk of the database."),
  row(/^53200$/, "refused", "it has no memory left", "Give the database's server more memory."),
  row(/^53300$/, "refused", "it has no connection left", "Raise its max_connections, or lower DATABASE_POOL."),
  row(/^53...$/, "refused", "it has reached one of its limits", storage),
  row(
    /^(25006|NO_PRIMARY)$/,
    "refused",
    "it takes no writes",
    "Name the server that takes writes in DATABASE_URL, or promote the standby.",
  ),
  row(
    /^PRIMARY_REFUSED$/,
    "refused",
    "which of its servers is the primary is not known",
    "Make the old primary a standby, or choose one with parley primary --accept (docs/scaling.md has the details).",
  ),
  row(/^57P03$/, "lost", "it is starting up", again),
  row(/^(57P..|25P0[34]|55000)$/, "lost", "it is being shut down", "Start the database."),
  row(/^57014$/, "interrupted", "it cancels statements", "Look at its statement_timeout."),
  row(/^(55P03|55006)$/, "interrupted", "what is needed is locked", again),
  row(/^40003$/, "lost", "the outcome of a statement is unknown", again),
  row(/^(40(000|001|P01)|72000)$/, "interrupted", "statements block each other", again),
  // The driver has already prepared and sent the statement once more.
  row(
    /^(26000|42P05)$/,
    "interrupted",
    "it mixes up prepared statements",
    "Let the pooler before it know them (PgBouncer 1.21: max_prepared_statements), or keep a connection for each session.",
  ),
  row(/^57...$/, "interrupted", "its operator intervenes", again),
  row(/^28P01$/, "lost", "it refuses the password", "Correct user and password in DATABASE_URL.", ofSettings),
  row(
    /^28...$/,
    "lost",
    "it refuses this user, or connections from here",
    "Correct the user in DATABASE_URL, or the server's pg_hba.conf; where it asks for encryption, add ?sslmode=require.",
    ofSettings,
  ),
  row(
    /^3D000$/,
    "lost",
    "there is no database of this name",
    "Create it, or correct its name in DATABASE_URL.",
    ofSettings,
  ),
  row(
    /^(42501|3F000)$/,
    "refused",
    "its user lacks rights",
    "Make the user of DATABASE_URL the owner of the database.",
    ofSettings,
  ),
  row(/^SASL_SIGNATURE_MISMATCH$/, "lost", "it does not know the password itself", address, ofSettings),
  row(/^58...$/, "refused", "it cannot read or write its files", storage),
  row(/^(ENOTFOUND|EAI_.+)$/, "lost", "the name of its host cannot be resolved", address),
  row(
    /CERT|^(ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY)|^SERVER_WITHOUT_TLS$/,
    "lost",
    "no encrypted connection can be made to it",
    "Correct sslmode in DATABASE_URL, or the server's certificate.",
    ofSettings,
  ),
  row(/^(ECONNREFUSED|ENOENT)$/, "lost", "nothing listens at its address", address),
  row(
    /^(EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS)$/,
    "lost",
    "this machine can open no more connections",
    "Raise its limit of open files.",
  ),
  row(
    /^(08...|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|E(PIPE|TIMEDOUT|CONNRESET|CONNABORTED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NETRESET))$/,
    "lost",
    "it cannot be reached",
    address,
  ),
];

function row(
  codes: RegExp,
  kind: OutageKind,
  says: string,
  advice: string,
  more: Pick<Outage, "isOfSettings"> = {},
): Outage {
  return { codes, kind, says, advice, ...more };
}

/** A server's last error before it ends a connection, if no entry names the error: a pooler sends such errors. */
const lastWord: Outage = { codes: /^/, kind: "lost", says: "it ends connections", advice: storage };

/** A socket failed with an error that no entry names: every system and every release of Bun has its own messages. */
const brokenSocket: Outage = { codes: /^/, kind: "lost", says: "it cannot be reached", advice: address };

/**
 * The outage behind an error of a store function; undefined if the statement is wrong, and for every error that does
 * not come from the database.
 */
export function outageOf(error: unknown): Omit<Outage, "codes"> | undefined {
  if (!(error instanceof Error) || !isOfDatabase(error)) return undefined;
  const code = codeOf(error);
  const outage = typeof code === "string" ? outages.find(({ codes }) => codes.test(code)) : undefined;
  if (endsConnection(error)) return { ...(outage ?? lastWord), kind: "lost" };
  if (outage && "says" in error && typeof error.says === "string") return { ...outage, says: error.says };
  return outage ?? ("isConnectionLost" in error ? brokenSocket : undefined);
}

/** Codes that only the driver and our own code use. */
const ownCodes =
  /^(NO_PRIMARY|PRIMARY_REFUSED|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|SERVER_WITHOUT_TLS|SASL_SIGNATURE_MISMATCH)$/;

/**
 * Whether an error comes from the database, or from the connection to it. The code alone does not show this: another
 * host that does not resolve, a missing file and a mail server that refuses a connection have the codes of the system,
 * too.
 */
function isOfDatabase(error: Error): boolean {
  if (error instanceof postgres.PostgresError) return true;
  // Our patch of the driver marks errors of a socket, and our code marks errors of a statement without an answer.
  return "isConnectionLost" in error || ownCodes.test(String(codeOf(error)));
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/** Whether a statement that failed in a batch may succeed by itself. */
export function maySucceedAlone(error: unknown): boolean {
  const outage = outageOf(error);
  return outage === undefined || outage.kind === "interrupted";
}

function endsConnection(error: Error): boolean {
  const severity = "severity" in error ? error.severity : "severity_local" in error ? error.severity_local : undefined;
  return severity === "FATAL" || severity === "PANIC";
}
