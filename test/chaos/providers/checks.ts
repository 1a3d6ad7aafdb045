import type { Sql } from "../../../src/platform/database/sql.ts";
import type { FakeGoogle } from "../../fake-providers/google/server.ts";
import type { FakeStripe } from "../../fake-providers/stripe.ts";
import { valueAt } from "../../support/client.ts";
import { sessionProblems, unequal, withRevision } from "../checks.ts";
import { type Accounts, inputs, price, rowPlaces } from "./flow.ts";
import type { Chat } from "./talk.ts";

export type Aftermath = {
  readonly sql: Sql;
  readonly stripe: FakeStripe;
  readonly google: FakeGoogle;
  readonly accounts: Pick<Accounts, "rows" | "laterRows">;
  readonly chats: readonly Chat[];
};

/** Returns one sentence for each broken promise. */
export async function brokenPromises(aftermath: Aftermath): Promise<string[]> {
  const { sql, chats } = aftermath;
  return [
    ...(await sessionProblems(
      sql,
      chats.map(({ ticket, sessionId, responses }) => ({ ticket, sessionId, responses })),
    )),
    ...(await paymentProblems(aftermath)),
    ...rowProblems(aftermath),
    ...(await stepProblems(sql, chats)),
    ...(await leftRows(sql)),
  ];
}

async function paymentProblems({ sql, stripe, chats }: Aftermath): Promise<string[]> {
  const rows = await sql<{ id: string; sessionId: string; intentId: string | null; status: string }[]>`
    select id, session_id, intent_id, status from payments`;
  const bySession = Map.groupBy(rows, ({ sessionId }) => sessionId);
  const intents = Map.groupBy(stripe.intents.values(), ({ metadata }) => metadata["parley_payment"] ?? "nobody's");
  return [
    ...chats.flatMap(({ ticket, sessionId }) => {
      const own = bySession.get(sessionId) ?? [];
      const made = own.flatMap(({ id }) => intents.get(id) ?? []);
      return [
        ...unequal(
          `payments of ${ticket}`,
          own.map(({ status, intentId }) => [status, intentId !== null]),
          [["succeeded", true]],
        ),
        ...unequal(
          `intents of ${ticket}`,
          made.map(({ status }) => status),
          ["succeeded"],
        ),
      ];
    }),
    ...unequal("all payments", rows.length, chats.length),
    ...unequal("all intents", stripe.intents.size, chats.length),
    ...unequal("money", stripe.taken(), chats.length * price),
  ];
}

function rowProblems({ google, accounts, chats }: Aftermath): string[] {
  const wanted = (places: readonly string[]) =>
    chats.flatMap(({ ticket }) => places.map((place) => `${ticket} ${place}`)).toSorted();
  const found = (spreadsheetId: string) => google.sheets.rowsOf(spreadsheetId).slice(1).flat().toSorted();
  return [
    ...differences("rows", found(accounts.rows), wanted(rowPlaces)),
    ...differences("rows that were left", found(accounts.laterRows), wanted(["paid"])),
  ];
}

function differences(kind: string, found: readonly string[], wanted: readonly string[]): string[] {
  const counts = Map.groupBy(found, (row) => row);
  const isWanted = new Set(wanted);
  return [
    ...wanted.filter((row) => (counts.get(row)?.length ?? 0) !== 1),
    ...[...counts.keys()].filter((row) => !isWanted.has(row)),
  ].map((row) => `${kind}: ${row} is there ${counts.get(row)?.length ?? 0} times`);
}

async function stepProblems(sql: Sql, chats: readonly Chat[]): Promise<string[]> {
  const rows = await sql<{ sessionId: string; revision: number; response: unknown; reply: unknown }[]>`
    select session_id, revision, response, reply from steps order by session_id, revision`;
  const stored = Map.groupBy(rows, ({ sessionId }) => sessionId);
  const answers = Map.groupBy(
    await sql<{ sessionId: string; blockId: string; content: string }[]>`
      select session_id, block_id, content from answers order by session_id, revision, position`,
    ({ sessionId }) => sessionId,
  );
  return chats.flatMap(({ ticket, sessionId, responses, replies }) => {
    const steps = stored.get(sessionId) ?? [];
    const unclaimed = [...steps];
    const lost = responses.flatMap((response) => {
      const at = unclaimed.findIndex((step) => Bun.deepEquals(withRevision(step), response));
      if (at >= 0) unclaimed.splice(at, 1);
      return at >= 0 ? [] : [`an acknowledged response of ${ticket} is lost: ${JSON.stringify(response)}`];
    });
    const texts = steps.flatMap(({ response }) => [valueAt(response, "messages.*.content.plainText")].flat(2));
    const isLate = texts.includes(`${ticket} was late`);
    const causes = steps.map(({ reply }) => valueAt(reply, "type"));
    const given = answers.get(sessionId) ?? [];
    const isAnswered = given.some(({ blockId }) => blockId === inputs.timed);
    return [
      ...lost,
      ...unequal(
        `revisions of ${ticket}`,
        steps.map(({ revision }) => revision),
        steps.map((_, index) => index + 1),
      ),
      ...unequal(`texts of ${ticket}`, texts.slice(1), [
        `${ticket} has paid`,
        `${ticket} was ${isLate ? "late" : "in time"}`,
        `${ticket} was called`,
        `${ticket} is done`,
      ]),
      ...unequal(`answers of ${ticket}`, given, [
        { sessionId, blockId: inputs.name, content: ticket },
        { sessionId, blockId: inputs.payment, content: "Success" },
        ...(isLate ? [] : [{ sessionId, blockId: inputs.timed, content: "7" }]),
        { sessionId, blockId: inputs.last, content: "ana@example.com" },
      ]),
      ...unequal(
        `steps of the time of ${ticket}`,
        causes.filter((cause) => cause === "timeout").length,
        isLate ? 1 : 0,
      ),
      ...(replies.has(inputs.timed) && !isAnswered ? [`an acknowledged reply of ${ticket} is lost`] : []),
    ];
  });
}

/** Returns the rows that are left although no chat waits for them. */
export async function leftRows(sql: Sql): Promise<string[]> {
  const [left] = await sql<[{ due: number; calls: number; jobs: number }]>`
    select
      (select count(*)::int from due_steps) as due,
      (select count(*)::int from deferred_calls) as calls,
      (select count(*)::int from outbox) as jobs`;
  return unequal("what is left", left, { due: 0, calls: 0, jobs: 0 });
}
