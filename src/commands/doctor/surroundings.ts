import { lookup } from "node:dns/promises";
import { statfsSync } from "node:fs";
import { type Config, StartError } from "../../config.ts";
import { readAllowedHosts } from "../../core/flow/outgoing-rules.ts";
import { checkMailServer } from "../../effects/mail/email.ts";
import { AppError } from "../../errors.ts";
import { portsOfThisMachine } from "../../limits/allowed-hosts.ts";
import { readPauses } from "../../limits/retry-settings.ts";
import { builderPlace, localAddress } from "../../management/access/builder-place.ts";
import { openDataFolder } from "../../platform/embedded/folders.ts";
import { takeAppPort, takePort } from "../../platform/processes/port.ts";
import { openStorage } from "../../platform/storage/open-storage.ts";
import { checkStorage } from "../../platform/storage/storage-check.ts";
import { about, type Finding } from "./finding.ts";

const megabyte = 1_000_000;
/**
 * Free disk space in bytes. Below `least`, an embedded database stops within hours; below `good`, the operator gets a
 * warning.
 */
const room = { least: 200 * megabyte, good: 2_000 * megabyte };

/** Examines DATA_DIR and the free space on its disk. */
export function examineDataFolder(config: Config): Finding {
  const { fine, doubtful, wrong } = about("Data folder");
  try {
    const { root } = openDataFolder(config.DATA_DIR);
    const { bavail, bsize } = statfsSync(root);
    const free = bavail * bsize;
    const says = `${root}, with ${(free / megabyte / 1_000).toFixed(1)} GB free`;
    if (free >= room.good) return fine(says);
    const todo = "Free space on its disk: if it becomes full, chats get 503.";
    return free >= room.least ? doubtful(says, todo) : wrong(says, todo);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(error.message, "Set DATA_DIR to another folder, or give this folder to the service's user.");
  }
}

/** Checks the storage: stores a small file, reads the file and removes the file. */
export async function examineStorage(config: Config): Promise<Finding> {
  const { fine, wrong } = about("Storage");
  const place = config.S3_BUCKET === undefined ? `${config.DATA_DIR}/uploads` : `the bucket ${config.S3_BUCKET}`;
  try {
    await checkStorage(openStorage(config));
    return fine(`a file was stored in ${place}, read and removed`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = String(error.data?.["reason"] ?? error.message);
    return wrong(
      `${place}: ${reason}`,
      "Uploads fail until you correct the S3_ settings, or the folder's permissions.",
    );
  }
}

export function examineKey({ ENCRYPTION_KEY, DATABASE_URL, DATA_DIR }: Config): Finding {
  const { fine, doubtful } = about("Encryption key");
  if (ENCRYPTION_KEY !== undefined) return fine("from ENCRYPTION_KEY; store a copy separately from backups");
  if (DATABASE_URL === undefined) return fine(`in ${DATA_DIR}/encryption-key; store a copy separately from backups`);
  const todo = "Set ENCRYPTION_KEY, the same on all nodes: openssl rand -base64 32";
  return doubtful("none: secrets, such as those of event endpoints, cannot be stored", todo);
}

/** Warns if retries would end before an outage of one hour is over. */
export function examineRetries({ EVENT_RETRY_SECONDS, DELIVERY_ATTEMPTS }: Config): Finding {
  const { fine, doubtful } = about("Retries");
  const pauses = readPauses(EVENT_RETRY_SECONDS);
  const seconds = pauses.reduce((sum, pause) => sum + pause, 0);
  const says = `events are tried ${pauses.length + 1} times within ${(seconds / hour).toFixed(1)} hours, mails and calls ${DELIVERY_ATTEMPTS} times`;
  if (seconds >= hour && DELIVERY_ATTEMPTS >= attemptsOfAnHour) return fine(says);
  const todo = "Increase the pauses: a receiver that is not available for an hour gets none of its events.";
  return doubtful(says, `${todo} See EVENT_RETRY_SECONDS and DELIVERY_ATTEMPTS.`);
}

const hour = 3_600;
/**
 * The number of attempts that outlast an outage of one hour. The nine pauses between ten attempts start at 10 seconds
 * and double each time, which adds up to 85 minutes.
 */
const attemptsOfAnHour = 10;

/** Examines whether the port is free or used by a service that is ready. */
export async function examinePort(config: Config): Promise<Finding> {
  const { PORT, HOST } = config;
  const { fine, wrong } = about("Port");
  if (PORT === 0) return fine("any free port");
  const ready = await askParley(localAddress(HOST, PORT));
  const says = `a Parley is running on ${PORT}`;
  if (ready?.ok) return fine(`${says} and is ready`);
  if (ready) return wrong(`${says} and is not ready: ${await ready.text()}`, "See its log.");
  try {
    await (await takePort(config)).release();
    return fine(`${PORT} is free`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(error.message, "Stop the program that uses it, or set PORT to another port.");
  }
}

/** Examines whether the builder's separate port, if there is one, is free or used by a Parley. */
export async function examineBuilder(config: Config): Promise<Finding> {
  const { fine, doubtful, wrong } = about("Builder");
  const { address, port } = builderPlace(config);
  if (!port) return fine(address === undefined ? "none: APP_PORT is off" : `at ${address}/app`);
  const { number } = port;
  if (number === 0) return fine("on any free port");
  if (await askParley(localAddress(config.HOST, number))) return fine(`a Parley serves it on ${number}`);
  try {
    const taken = await takeAppPort(config, port);
    await taken.release();
    if (taken.port === number) return fine(`${number} is free`);
    const says = `${number} is in use, so the service uses any free port`;
    return doubtful(
      says,
      "Set APP_PORT, so that links to the builder stay valid. The service prints the builder's port when it starts.",
    );
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return wrong(error.message, "Stop the program that uses it, or set APP_PORT to another port.");
  }
}

/** Requests the readiness of a Parley at an address. Returns undefined if no Parley responds. */
async function askParley(address: string): Promise<Response | undefined> {
  const ready = await fetch(`${address}/api/readyz`).catch(() => undefined);
  return ready?.headers.has("x-request-id") ? ready : undefined;
}

export function examineAddresses({ PUBLIC_URL, CHAT_URL, TRUSTED_PROXIES }: Config): Finding {
  const { fine, doubtful } = about("Addresses");
  const chats = CHAT_URL ?? PUBLIC_URL;
  if (chats === undefined) {
    return doubtful(
      "neither PUBLIC_URL nor CHAT_URL is set",
      "Set them to the public addresses, so that links to files and pages work.",
    );
  }
  if (CHAT_URL === undefined || (PUBLIC_URL !== undefined && new URL(PUBLIC_URL).host === new URL(CHAT_URL).host)) {
    return doubtful(
      `chats and management share ${chats}`,
      "Give CHAT_URL a separate host, so that authors' code in chats does not share an origin with the job board.",
    );
  }
  if (TRUSTED_PROXIES === "" && /^https:/.test(chats)) {
    return doubtful(
      `${chats} is behind a proxy that TRUSTED_PROXIES does not list`,
      "Add the proxy to TRUSTED_PROXIES. Otherwise all visitors have the proxy's address.",
    );
  }
  return fine(`chats at ${chats}, management at ${PUBLIC_URL ?? "any host"}`);
}

/** Examines whether this machine can resolve the hosts in its own network that flows may call. */
export async function examineOutgoing({ OUTGOING_ALLOW }: Config): Promise<Finding[]> {
  const { fine, doubtful } = about("Outgoing calls");
  const hosts = readAllowedHosts(OUTGOING_ALLOW);
  const ports = portsOfThisMachine(OUTGOING_ALLOW).map((port) => fine(`flows may call port ${port} of this machine`));
  if (hosts.length + ports.length === 0) return [fine("to public addresses only")];
  const found = await Promise.all(
    hosts.map(async (host) => {
      const place = await lookup(host).catch(() => undefined);
      if (place) return fine(`flows may call ${host}, at ${place.address}`);
      return doubtful(
        `OUTGOING_ALLOW names ${host}, which this machine cannot resolve`,
        "Correct the name, or the network's DNS.",
      );
    }),
  );
  return [...found, ...ports];
}

/** Signs in to the mail server without sending a mail. */
export async function examineMail({ SMTP_URL }: Config): Promise<Finding> {
  const { fine, doubtful, wrong } = about("Mail");
  if (SMTP_URL === undefined)
    return doubtful("no mail server: e-mails of flows are not sent", "Set SMTP_URL if flows send e-mails.");
  const problem = await checkMailServer(SMTP_URL);
  if (problem === undefined) return fine(`${new URL(SMTP_URL).host} accepts the sign-in`);
  return wrong(problem, "Correct SMTP_URL. E-mails are retried for some hours.");
}
