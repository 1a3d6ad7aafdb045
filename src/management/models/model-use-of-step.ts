import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { readKnown } from "../../core/interpreter/schemas/schema.ts";
import { ModelSettingsSchema } from "../../core/interpreter/schemas/settings.ts";
import type { FinishedCall, ModelUse, ReservedCall } from "../../effects/model-use.ts";
import { limits } from "../../limits/index.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { newId } from "../../platform/ids.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { returnReservations } from "./left-reservations.sql.ts";
import { insertModelCall } from "./model-calls.sql.ts";
import { findModelTerms, type ModelBudget, type ModelTerms } from "./model-settings.sql.ts";
import {
  type ModelReservation,
  type ModelSpending,
  makeSpending,
  reserveSpending,
  settleSpending,
} from "./model-spending.sql.ts";
import { budgetMark, notifyBudget } from "./reached-budgets.sql.ts";

type Step = {
  readonly workspaceId: string | null;
  readonly botId: string;
  /** Null for previews. */
  readonly resultId: string | null;
  readonly sessionId: string;
  /** Whether this is the first step of the chat. */
  readonly isNewChat: boolean;
  readonly blockId: string;
};

type Tools = Pick<ManagementDependencies, "sql" | "outage" | "modelMetrics" | "lateWrites">;

/**
 * Checks a step's model calls against the budgets of its workspace and of its bot, and counts them. The states of a
 * call are:
 *
 *     requested ─ a budget has no room for its maximum cost ─→ rejected
 *     requested ─ otherwise ─────────────────────────────────→ reserved
 *     reserved ─ its report arrives ─────────────────────────→ settled: its cost is spent
 *     reserved ─ nothing was sent ───────────────────────────→ settled: nothing is spent
 *     reserved ─ its report arrives during an outage ────────→ late: retried until it is settled
 *     reserved ─ its process died ten minutes ago ───────────→ released: the cost of the sent part is spent
 */
export function modelUseOfStep(tools: Tools, step: Step): ModelUse {
  const { workspaceId, botId } = step;
  return {
    async reserve(call) {
      // Without a workspace there are no credentials, so no call is made.
      if (workspaceId === null) return { settle: async () => {} };
      const { type } = call;
      const model = call.model.slice(0, limits.modelBudgets.modelCharacters);
      const place = { workspaceId, botId, type, model };
      const terms = await findModelTerms(tools.sql, place);
      const reservation = {
        ...{ id: newId(), ...place },
        tokens: call.tokens.in + call.tokens.out,
        sent: { tokens: call.tokens.in, money: costOf({ in: call.tokens.in, cached: 0, out: 0 }, terms) ?? 0 },
        money: costOf({ ...call.tokens, cached: 0 }, terms) ?? 0,
      };
      const budgets = { ofWorkspace: terms.settings, ofBot: budgetOfBot(terms.ofBot) };
      const { kind, spending } = await reserve(tools, reservation, budgets);
      const more = { tokens: reservation.tokens, money: reservation.money };
      if (kind === "taken") {
        const taken = reserved(tools, { ...step, workspaceId }, { reservation, terms, budgets });
        return { ...taken, isLast: isLastCall({ budgets, spending, more }) };
      }
      tools.modelMetrics.refused(type);
      await notify(tools, workspaceId, { budgets, spending, more });
      return { refusedBy: refusingBudget({ budgets, spending, more }) };
    },
  };
}

type Budgets = { readonly ofWorkspace: ModelBudget; readonly ofBot: ModelBudget };

/** Reserves the cost of a call. If a budget has no room, first releases reservations that remained after crashes. */
async function reserve({ sql }: Tools, reservation: ModelReservation, budgets: Budgets) {
  let taken = await reserveSpending(sql, reservation, budgets);
  if (taken.kind === "missing") {
    await makeSpending(sql, reservation);
    taken = await reserveSpending(sql, reservation, budgets);
  }
  if (taken.kind !== "refused" || (await returnReservations(sql, reservation.workspaceId)) === 0) return taken;
  return await reserveSpending(sql, reservation, budgets);
}

function reserved(
  tools: Tools,
  step: Step & { readonly workspaceId: string },
  { reservation, terms, budgets }: { reservation: ModelReservation; terms: ModelTerms; budgets: Budgets },
): ReservedCall {
  const { sql, outage, modelMetrics, lateWrites } = tools;
  return {
    async settle(call) {
      const used = countsOf(call.tokens);
      const money = costOf(used, terms);
      if (call.isMade) modelMetrics.ended(reservation.type, call);
      const settle = async ({ isRepeated }: { isRepeated: boolean }): Promise<void> => {
        const spent = { isMade: call.isMade, ...used, money, isRepeated };
        const spending = await settleSpending(sql, reservation, spent);
        if (spending.length === 0) return;
        if (call.isMade) await keep(tools, step, { call, used, reservation, money, terms });
        await notify(tools, step.workspaceId, { budgets, spending, more: { tokens: 0, money: 0 } });
      };
      try {
        await settle({ isRepeated: false });
      } catch (error) {
        // A model's response that was paid for is not lost during an outage of the database. Its cost is counted later.
        if (!isOutage(error)) throw error;
        outage.failed(error);
        lateWrites.add(() => settle({ isRepeated: true }));
      }
    },
  };
}

/** Stores a call with its result, if the workspace's settings require it. Calls of previews are not stored. */
async function keep(
  { sql }: Tools,
  { botId, resultId, sessionId, isNewChat, blockId }: Step,
  given: {
    call: FinishedCall;
    used: ReturnType<typeof countsOf>;
    reservation: ModelReservation;
    money: number | null;
    terms: ModelTerms;
  },
): Promise<void> {
  const { call, used, reservation, money, terms } = given;
  if (resultId === null || terms.settings.keepModelCallsDays === 0) return;
  const { workspaceId, type, model } = reservation;
  const { ended, tries, firstTextMs, durationMs, tokens, keys } = call;
  await insertModelCall(sql, {
    ...{
      workspaceId,
      botId,
      resultId,
      sessionId,
      isNewChat,
      blockId,
      type,
      model,
      ended,
      tries,
      firstTextMs,
      durationMs,
    },
    tokensIn: tokens && used.in,
    tokensCached: tokens && used.cached,
    tokensOut: tokens && used.out,
    isEstimated: tokens?.isEstimated ?? false,
    money: tokens ? money : null,
    request: keptText(call.request, keys),
    answer: keptText(call.answer, keys),
  });
}

/** Returns JSON text without keys of credentials, truncated if it is too long. */
function keptText(value: unknown, keys: readonly string[]): string {
  // The keys as they appear in JSON text.
  const written = keys.map((key) => JSON.stringify(key).slice(1, -1));
  const text = withoutKeys(JSON.stringify(value), written);
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= limits.modelBudgets.keptBytes) return text;
  // Removes a character that was cut in the middle.
  return bytes
    .subarray(0, limits.modelBudgets.keptBytes)
    .toString()
    .replace(/\uFFFD+$/, "");
}

/**
 * Normalizes the counts of a provider, which may report any value: counts become whole numbers up to the largest
 * possible call.
 */
function countsOf(tokens: FinishedCall["tokens"]) {
  const count = (given = 0): number => {
    return Number.isFinite(given) ? Math.min(Math.max(0, Math.round(given)), limits.modelBudgets.tokens) : 0;
  };
  return { in: count(tokens?.in), cached: count(tokens?.cached), out: count(tokens?.out) };
}

/** Returns the cost in the currency of the workspace's prices; null if the model has no price. */
function costOf(
  tokens: { readonly in: number; readonly cached: number; readonly out: number },
  { price }: Pick<ModelTerms, "price">,
): number | null {
  if (!price) return null;
  const { cached } = tokens;
  return ((tokens.in - cached) * price.in + cached * price.cached + tokens.out * price.out) / 1_000_000;
}

/** Returns the valid amounts of a bot's settings, which may contain any values. */
function budgetOfBot(stored: unknown): ModelBudget {
  const { day = {}, month = {} } = readKnown(ModelSettingsSchema, stored) ?? {};
  const amounts = ({ tokens, money }: { tokens?: number; money?: number }) => ({
    tokens: amountOf(tokens),
    money: amountOf(money),
  });
  return { day: amounts(day), month: amounts(month) };
}

function amountOf(amount: number | undefined): number | null {
  return amount === undefined || !Number.isFinite(amount) ? null : Math.max(0, amount);
}

type Judged = {
  readonly budgets: Budgets;
  readonly spending: readonly ModelSpending[];
  /** The maximum cost of the call that is checked. */
  readonly more: { readonly tokens: number; readonly money: number };
};

const periods = ["day", "month"] as const;
const units = ["tokens", "money"] as const;

/** Yields each budget that is set, with the amount spent from it. */
function* budgetsOf({ budgets, spending }: Omit<Judged, "more">) {
  for (const spent of spending) {
    const budget = spent.botId === null ? budgets.ofWorkspace : budgets.ofBot;
    for (const period of periods) {
      for (const unit of units) {
        const most = budget[period][unit];
        if (most !== null) yield { spent, period, unit, budget: most };
      }
    }
  }
}

/**
 * Sends notices about the shares of budgets that are spent, smallest share first. A budget that rejected a call counts
 * as fully spent.
 */
async function notify({ sql }: Tools, workspaceId: string, judged: Judged): Promise<void> {
  for (const { spent, period, unit, budget } of budgetsOf(judged)) {
    const amount = spent[period][unit];
    const isRefused = judged.more.tokens > 0 && !hasRoom(amount + judged.more[unit], budget);
    const since = period === "day" ? spent.today : `${spent.today.slice(0, 7)}-01`;
    for (const percent of limits.modelBudgets.notifiedPercents) {
      const isSpent = amount > 0 && amount * 100 >= budget * percent;
      if (!isSpent && !(isRefused && percent === 100)) continue;
      const reached = { workspaceId, botId: spent.botId, period, unit, percent, budget, spent: amount, since };
      const { key, mark } = budgetMark(reached);
      if ((spent.told[key] ?? "") < mark) await notifyBudget(sql, reached);
    }
  }
}

/**
 * Describes the exhausted budget and its period for the result's log. Contains no amounts, because visitors' clients
 * also get the log.
 */
function refusingBudget({ budgets, spending, more }: Judged): string {
  const found = [...budgetsOf({ budgets, spending })].find(
    ({ spent, period, unit, budget }) => !hasRoom(spent[period][unit] + spent.reserved[unit] + more[unit], budget),
  );
  if (!found) return "Of this workspace";
  const whose = found.spent.botId === null ? "workspace" : "bot";
  return `Of this ${whose}, for a ${found.period}${found.unit === "money" ? ", in money" : ""}`;
}

/** Whether a budget that had room for this call has no room for another equal call. */
function isLastCall({ budgets, spending, more }: Judged): boolean {
  return [...budgetsOf({ budgets, spending })].some(
    ({ spent, period, unit, budget }) => !hasRoom(spent[period][unit] + spent.reserved[unit] + 2 * more[unit], budget),
  );
}

/** A budget of 0 has no room, even for a call that costs nothing. */
function hasRoom(amount: number, budget: number): boolean {
  return budget > 0 && amount <= budget;
}
