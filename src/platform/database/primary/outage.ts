import postgres from "postgres";
import { codeOf } from "../../thrown.ts";

/**
 * A temporary failure of the database, after which the same statement may succeed later:
 * - `lost`: the connection ended or could not be opened. Whether the statement was executed is unknown.
 * - `refused`: the server currently accepts no statement of this kind. The statement had no effect.
 * - `interrupted`: the statement conflicted with another statement, a lock or a timeout, and had no effect. An
 *   immediate retry in isolation may succeed.
 */
export type OutageKind = "lost" | "refused" | "interrupted";

type Outage = {
  readonly codes: RegExp;
  /** An error of the server that ends the connection has the kind `lost`, regardless of its code. */
  readonly kind: OutageKind;
  /** A description of the problem that is safe to show to any reader. */
  readonly says: string;
  /** The remedy that is shown to the operator if the service cannot start. */
  readonly advice: string;
  /** Whether another server of the same database would return the same error. */
  readonly isOfSettings?: true;
};

const address = "Correct DATABASE_URL, or start the database.";
const storage = "Check the log of the database server, and its disk.";
const again = "Start again in a moment.";
const ofSettings = { isOfSettings: true } as const;

/**
 * The first matching entry applies. SQLSTATEs have five characters; the other codes belong to the driver, Bun or
 * Parley.
 */
const outages: readonly Outage[] = [
  row(/^53100$/, "refused", "its disk is full", "Free space on the disk of the database."),
  row(/^53200$/, "refused", "it is out of memory", "Give the database server more memory."),
  row(/^53300$/, "refused", "it has no free connection", "Raise its max_connections, or lower DATABASE_POOL."),
  row(/^53...$/, "refused", "it has reached one of its limits", storage),
  row(
    /^(25006|NO_PRIMARY)$/,
    "refused",
    "it accepts no writes",
    "Set DATABASE_URL to the server that accepts writes, or promote the standby.",
  ),
  row(
    /^PRIMARY_REFUSED$/,
    "refused",
    "it is unknown which of its servers is the primary",
    "Make the old primary a standby, or choose one with parley primary --accept (docs/scaling.md has the details).",
  ),
  row(/^57P03$/, "lost", "it is starting up", again),
  row(/^(57P..|25P0[34]|55000)$/, "lost", "it is shutting down", "Start the database."),
  row(/^57014$/, "interrupted", "it cancels statements", "Check its statement_timeout."),
  row(/^(55P03|55006)$/, "interrupted", "a required lock is not available", again),
  row(/^40003$/, "lost", "the outcome of a statement is unknown", again),
  row(/^(40(000|001|P01)|72000)$/, "interrupted", "statements block each other", again),
  // Before this error, the driver has already prepared and sent the statement a second time.
  row(
    /^(26000|42P05)$/,
    "interrupted",
    "it mixes up prepared statements",
    "Let the pooler in front of it support them (PgBouncer 1.21: max_prepared_statements), or use a connection for each session.",
  ),
  row(/^57...$/, "interrupted", "its operator intervenes", again),
  row(/^28P01$/, "lost", "it rejects the password", "Correct the user and the password in DATABASE_URL.", ofSettings),
  row(
    /^28...$/,
    "lost",
    "it rejects this user, or connections from this machine",
    "Correct the user in DATABASE_URL, or the server's pg_hba.conf. If the server requires encryption, add ?sslmode=require.",
    ofSettings,
  ),
  row(
    /^3D000$/,
    "lost",
    "there is no database with this name",
    "Create the database, or correct its name in DATABASE_URL.",
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
  row(/^(ECONNREFUSED|ENOENT)$/, "lost", "no server listens at its address", address),
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

/**
 * Applies to the last error of a server before it ends a connection, if no entry of `outages` matches. Poolers send
 * such errors.
 */
const lastWord: Outage = { codes: /^/, kind: "lost", says: "it ends connections", advice: storage };

/** A socket error that no entry matches. Error messages differ between systems and releases of Bun. */
const brokenSocket: Outage = { codes: /^/, kind: "lost", says: "it cannot be reached", advice: address };

/**
 * Returns the outage behind an error of a store function. Returns undefined for invalid statements and for errors that
 * do not come from the database.
 */
export function outageOf(error: unknown): Omit<Outage, "codes"> | undefined {
  if (!(error instanceof Error) || !isOfDatabase(error)) return undefined;
  const code = codeOf(error);
  const outage = typeof code === "string" ? outages.find(({ codes }) => codes.test(code)) : undefined;
  if (endsConnection(error)) return { ...(outage ?? lastWord), kind: "lost" };
  if (outage && "says" in error && typeof error.says === "string") return { ...outage, says: error.says };
  return outage ?? ("isConnectionLost" in error ? brokenSocket : undefined);
}

/** Codes that only the driver and Parley use. */
const ownCodes =
  /^(NO_PRIMARY|PRIMARY_REFUSED|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|SERVER_WITHOUT_TLS|SASL_SIGNATURE_MISMATCH)$/;

/**
 * Whether an error comes from the database or the connection to the database. The code is not sufficient: other hosts
 * that do not resolve, missing files and refused mail connections produce the same system codes.
 */
function isOfDatabase(error: Error): boolean {
  if (error instanceof postgres.PostgresError) return true;
  // Parley's patch of the driver marks socket errors, and `boundAnswers` marks statements without an answer.
  return "isConnectionLost" in error || ownCodes.test(String(codeOf(error)));
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/** Whether a statement that failed in a batch may succeed in a batch of one. */
export function maySucceedAlone(error: unknown): boolean {
  const outage = outageOf(error);
  return outage === undefined || outage.kind === "interrupted";
}

function endsConnection(error: Error): boolean {
  const severity = "severity" in error ? error.severity : "severity_local" in error ? error.severity_local : undefined;
  return severity === "FATAL" || severity === "PANIC";
}
