import { codeOf } from "../../thrown.ts";

/**
 * A temporary failure of the database, so the same may succeed later:
 * - `lost`: the connection ended or could not be opened. Whether the statement was executed is unknown.
 * - `refused`: the server accepts no statement of this kind at the moment. It did nothing, and would do nothing for others.
 * - `interrupted`: this one statement met another one, a lock or a timeout. It did nothing; alone it may succeed at once.
 */
export type OutageKind = "lost" | "refused" | "interrupted";

type Outage = {
  readonly codes: RegExp;
  /** A server's error that ends the connection is `lost`, whatever its code. */
  readonly kind: OutageKind;
  /** The problem, in words that may be shown to anybody. */
  readonly says: string;
  /** The operator's remedy at a start. */
  readonly advice: string;
  /** Another server of the same database would give the same answer. */
  readonly isOfSettings?: true;
};

const address = "Correct DATABASE_URL, or start the database.";
const storage = "Look at the log of the database's server, and at its disk.";
const again = "Start again in a moment.";

/** The first that matches counts. SQLSTATEs have five characters; the other codes are the driver's, Bun's and ours. */
const outages: readonly Outage[] = [
  { codes: /^53100$/, kind: "refused", says: "its disk is full", advice: "Make room on the disk of the database." },
  {
    codes: /^53200$/,
    kind: "refused",
    says: "it has no memory left",
    advice: "Give the database's server more memory.",
  },
  {
    codes: /^53300$/,
    kind: "refused",
    says: "it has no connection left",
    advice: "Raise its max_connections, or lower DATABASE_POOL.",
  },
  { codes: /^53...$/, kind: "refused", says: "it has reached one of its limits", advice: storage },
  {
    codes: /^(25006|NO_PRIMARY)$/,
    kind: "refused",
    says: "it takes no writes",
    advice: "Name the server that takes writes in DATABASE_URL, or promote the standby.",
  },
  {
    codes: /^PRIMARY_REFUSED$/,
    kind: "refused",
    says: "which of its servers is the primary is not known",
    advice:
      "Make the old primary a standby, or choose one with parley primary --accept (docs/scaling.md has the details).",
  },
  { codes: /^57P03$/, kind: "lost", says: "it is starting up", advice: again },
  { codes: /^(57P..|25P0[34]|55000)$/, kind: "lost", says: "it is being shut down", advice: "Start the database." },
  { codes: /^57014$/, kind: "interrupted", says: "it cancels statements", advice: "Look at its statement_timeout." },
  { codes: /^(55P03|55006)$/, kind: "interrupted", says: "what is needed is locked", advice: again },
  { codes: /^40003$/, kind: "lost", says: "it does not tell what became of a statement", advice: again },
  {
    codes: /^(40(000|001|P01)|72000)$/,
    kind: "interrupted",
    says: "statements are in each other's way",
    advice: again,
  },
  {
    // The driver has already sent it once more, prepared anew.
    codes: /^(26000|42P05)$/,
    kind: "interrupted",
    says: "it mixes up prepared statements",
    advice:
      "Let the pooler before it know them (PgBouncer 1.21: max_prepared_statements), or keep a connection for each session.",
  },
  { codes: /^57...$/, kind: "interrupted", says: "its operator intervenes", advice: again },
  {
    codes: /^28P01$/,
    kind: "lost",
    says: "it refuses the password",
    advice: "Correct user and password in DATABASE_URL.",
    isOfSettings: true,
  },
  {
    codes: /^28...$/,
    kind: "lost",
    says: "it refuses this user, or connections from here",
    advice:
      "Correct the user in DATABASE_URL, or the server's pg_hba.conf; where it asks for encryption, add ?sslmode=require.",
    isOfSettings: true,
  },
  {
    codes: /^3D000$/,
    kind: "lost",
    says: "there is no database of this name",
    advice: "Create it, or correct its name in DATABASE_URL.",
    isOfSettings: true,
  },
  {
    codes: /^(42501|3F000)$/,
    kind: "refused",
    says: "its user has not the rights",
    advice: "Make the user of DATABASE_URL the owner of the database.",
    isOfSettings: true,
  },
  {
    codes: /^SASL_SIGNATURE_MISMATCH$/,
    kind: "lost",
    says: "it does not know the password itself",
    advice: address,
    isOfSettings: true,
  },
  { codes: /^58...$/, kind: "refused", says: "it cannot read or write its files", advice: storage },
  { codes: /^(ENOTFOUND|EAI_.+)$/, kind: "lost", says: "the name of its host cannot be resolved", advice: address },
  {
    codes: /CERT|^(ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY)|^SERVER_WITHOUT_TLS$/,
    kind: "lost",
    says: "no encrypted connection can be made to it",
    advice: "Correct sslmode in DATABASE_URL, or the server's certificate.",
    isOfSettings: true,
  },
  { codes: /^(ECONNREFUSED|ENOENT)$/, kind: "lost", says: "nothing listens at its address", advice: address },
  {
    codes: /^(EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS)$/,
    kind: "lost",
    says: "this machine can open no more connections",
    advice: "Raise its limit of open files.",
  },
  {
    codes:
      /^(08...|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|E(PIPE|TIMEDOUT|CONNRESET|CONNABORTED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NETRESET))$/,
    kind: "lost",
    says: "it cannot be reached",
    advice: address,
  },
];

/** A server's last error before it ends a connection, if no entry names it: a pooler sends such errors. */
const lastWord: Outage = { codes: /^/, kind: "lost", says: "it ends connections", advice: storage };

/** A socket failed with an error that no entry names: every system and every release of Bun has its own messages. */
const brokenSocket: Outage = { codes: /^/, kind: "lost", says: "it cannot be reached", advice: address };

/** The outage behind an error of a store function; undefined if the statement is wrong. */
export function outageOf(error: unknown): Omit<Outage, "codes"> | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  const outage = typeof code === "string" ? outages.find(({ codes }) => codes.test(code)) : undefined;
  if (endsConnection(error)) return { ...(outage ?? lastWord), kind: "lost" };
  if (outage && "says" in error && typeof error.says === "string") return { ...outage, says: error.says };
  // Our patch of the driver marks errors of a socket.
  return outage ?? ("isConnectionLost" in error ? brokenSocket : undefined);
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/** Whether a statement that failed in a batch may succeed alone. */
export function maySucceedAlone(error: unknown): boolean {
  const outage = outageOf(error);
  return outage === undefined || outage.kind === "interrupted";
}

function endsConnection(error: Error): boolean {
  const severity = "severity" in error ? error.severity : "severity_local" in error ? error.severity_local : undefined;
  return severity === "FATAL" || severity === "PANIC";
}
