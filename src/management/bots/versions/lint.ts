import { channels } from "../../../core/channels/index.ts";
import { paymentFacts, stripe } from "../../../core/credentials/stripe.ts";
import { readFlowParts } from "../../../core/flow/check.ts";
import { completeFlow, flowOf } from "../../../core/flow/complete.ts";
import type { Dialect } from "../../../core/flow/dialect.ts";
import type { StoredFlow } from "../../../core/flow/document.ts";
import { readAllowedHosts, readOwnMachine } from "../../../core/flow/outgoing-rules.ts";
import { valueAt } from "../../../core/interpreter/flow.ts";
import { countFindings } from "../../../core/lint/counts.ts";
import { secretsOf } from "../../../core/lint/externals.ts";
import type { ChannelFacts, LintFacts, PaymentFacts } from "../../../core/lint/facts.ts";
import { credentialsIds, linkedBotIds, lintFlow, rulesAboutEnds } from "../../../core/lint/lint.ts";
import type { Finding } from "../../../core/lint/rule.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { credentialsOfStep } from "../../credentials/credentials-of-step.ts";
import { findSecretNames } from "../../credentials/secrets.sql.ts";
import { findMissingAddresses } from "../../files/named-files.ts";
import { findBot } from "../bots.sql.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import {
  findAskingChannels,
  findCredentialTypes,
  findLinkedGroups,
  findLinksTo,
  namesUnknownConnection,
} from "./lint-facts.sql.ts";
import { findPublication } from "./publications.sql.ts";

export type LintRequest = {
  /** A flow from the request to lint instead of the draft. */
  readonly flow: unknown;
  /** A publication to lint instead of the draft. */
  readonly number: number | undefined;
  readonly dialect: Dialect;
};

/** Returns the linter's findings for a bot's draft, a publication, or a flow in the request. Stores nothing. */
export async function lintBot(deps: BotDependencies, caller: Caller, botId: string, request: LintRequest) {
  const { workspaceId } = await requireBot(deps, caller, botId, "read");
  const flow = await requestedFlow(deps, botId, request);
  const { findings, linkedFrom } = await judged(deps, { workspaceId, botId }, flow);
  return {
    findings: findings.slice(0, limits.flow.findings),
    ...countFindings(findings),
    linkedFrom: linkedFrom ? [...linkedFrom] : null,
  };
}

/** Returns all findings of the linter for a flow of this bot. */
export async function findingsOf(...[deps, bot, flow]: Parameters<typeof judged>): Promise<readonly Finding[]> {
  return (await judged(deps, bot, flow)).findings;
}

/** Runs the linter. The result includes the links of other bots if a finding depends on them. */
async function judged(
  deps: Pick<BotDependencies, "sql" | "config" | "secrets">,
  { workspaceId, botId }: { workspaceId: string; botId: string },
  flow: StoredFlow,
): Promise<{ findings: Finding[]; linkedFrom?: NonNullable<LintFacts["linkedFrom"]> }> {
  const { sql, config } = deps;
  const botIds = linkedBotIds(flow);
  const namesSecrets = secretsOf(flow).length > 0;
  const isOnMessengers = valueAt(flow.settings, "whatsApp", "isEnabled") === true;
  const [credentials, found, secrets, missingFiles, isConnectionUnknown, asking] = await Promise.all([
    findCredentialTypes(sql, workspaceId),
    findLinkedGroups(sql, { workspaceId, botIds }),
    namesSecrets ? findSecretNames(sql, workspaceId) : [],
    findMissingAddresses(deps, flow),
    namesUnknownConnection(sql, { workspaceId, botId }),
    isOnMessengers ? findAskingChannels(sql, { workspaceId, botId }) : [],
  ]);
  const groupsOf = new Map(found.map(({ id, groupIds }) => [id, { groupIds: new Set(groupIds) }]));
  const facts: LintFacts = {
    allowedHosts: readAllowedHosts(config.OUTGOING_ALLOW),
    ownMachine: readOwnMachine(config.OUTGOING_ALLOW),
    credentials: new Map(credentials.map(({ id, type }) => [id, type])),
    secrets: new Set(secrets),
    missingFiles: new Set(missingFiles),
    isConnectionUnknown,
    channels: asking.flatMap(channelFacts),
    payments: await paymentsOf(deps, workspaceId, { flow, credentials }),
    linkedBots: new Map(botIds.map((id) => [id, groupsOf.get(id) ?? null])),
  };
  const findings = lintFlow(flow, { facts });
  // Searching for bots that link to this bot reads all drafts of the workspace, so it is done only if a finding may
  // depend on the links.
  if (!findings.some(({ rule }) => rulesAboutEnds.has(rule))) return { findings };
  const linkedFrom = await findLinksTo(sql, { workspaceId, botId });
  return { findings: lintFlow(flow, { facts: { ...facts, linkedFrom } }), linkedFrom };
}

/** Returns the limits of a messenger for texts and buttons. The list is empty for a messenger of a later release. */
function channelFacts(type: string): ChannelFacts[] {
  const channel = channels.get(type);
  if (!channel) return [];
  const { text, buttons } = channel.capabilities;
  return [{ name: channel.name, text: text.length, title: buttons.title, items: limits.channels.itemsShown }];
}

/** Returns facts about the payment credentials that a flow refers to. Leaves out credentials that no key decrypts. */
async function paymentsOf(
  deps: Pick<BotDependencies, "sql" | "secrets">,
  workspaceId: string,
  { flow, credentials }: { flow: StoredFlow; credentials: readonly { id: string; type: string }[] },
): Promise<NonNullable<LintFacts["payments"]>> {
  const accounts = credentials.filter(({ type }) => type === stripe.type);
  if (accounts.length === 0) return new Map();
  const named = credentialsIds(flow);
  const { find } = credentialsOfStep(deps, { workspaceId, isLive: false });
  const found = await Promise.all(
    accounts.map(async ({ id, type }): Promise<[string, PaymentFacts][]> => {
      const data = named.has(id) ? await find({ type, credentialsId: id }) : undefined;
      return data === undefined || data === "unreadable" ? [] : [[id, paymentFacts(data)]];
    }),
  );
  return new Map(found.flat());
}

async function requestedFlow(
  { sql }: BotDependencies,
  botId: string,
  { flow, number, dialect }: LintRequest,
): Promise<StoredFlow> {
  if (flow !== undefined && number !== undefined)
    throw invalidInput([{ path: "number", message: "must not be sent together with a flow" }]);
  if (flow !== undefined) return completeFlow(readFlowParts(flow, dialect));
  if (number !== undefined) {
    const published = await findPublication(sql, { botId, number });
    if (!published) throw new AppError("publication.not_found");
    return published.flow;
  }
  const bot = await findBot(sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  return flowOf(bot);
}
