import { afterAll, beforeAll, expect, test } from "bun:test";
import { auditSubjects, findSubjectState } from "../../../src/management/audit/audit-subjects.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createExplainer, type Explainer } from "../../support/plans.ts";

let database: TestDatabase;
let explainer: Explainer;

beforeAll(async () => {
  database = await createTestDatabase();
  explainer = createExplainer(database.url);
});
afterAll(async () => {
  await explainer.close();
  await database.close();
});

/**
 * Returns how often the last statement of this connection was planned for its values, and how often the stored plan was
 * used.
 */
const plans = async () => {
  const [row] = await explainer.sql<[{ own: number; kept: number }]>`
    select custom_plans::int as own, generic_plans::int as kept
    from pg_prepared_statements
    where statement like '%with stored as materialized%' and statement not like '%pg_prepared_statements%'
    order by prepare_time desc
    limit 1`;
  return row;
};

test.each([...auditSubjects])(
  "the state of the audit subject %s is read by a plan that the database caches",
  async (subject) => {
    for (let read = 0; read < 10; read++) {
      const state = await findSubjectState(explainer.sql, { subject, ids: [newId()], ownerId: newId() });
      expect(state).toEqual({ workspaceId: null, hash: null, parts: [] });
    }
    expect(await plans()).toEqual({ own: 5, kept: 5 });
  },
);

test.each([...auditSubjects])("no state of the audit subject %s is returned for zero or two ids", async (subject) => {
  for (const ids of [[], [newId(), newId()]]) {
    const state = await findSubjectState(explainer.sql, { subject, ids, ownerId: newId() });
    expect(state).toEqual({ workspaceId: null, hash: null, parts: [] });
  }
});
