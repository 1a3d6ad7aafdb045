import type { EventContent } from "../../events.ts";
import { isRecent } from "../../platform/database/spans.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { CredentialsPlace } from "./credentials.sql.ts";

/**
 * Records that a provider rejected credentials, and notifies the workspace's endpoints, at most once in this many
 * seconds across all processes.
 */
export async function noteProblem(
  sql: Sql,
  { workspaceId, credentialsId, problem, everySeconds }: CredentialsPlace & { problem: string; everySeconds: number },
): Promise<void> {
  const type = "credentials.failing";
  const content: EventContent<typeof type> = { credentialsId, type: "", name: "", problem };
  await sql`
    with noted as (
      update credentials
      set last_problem = ${problem}, last_problem_at = clock()
      where id = ${credentialsId}
        and workspace_id = ${workspaceId}
        and not ${isRecent(sql, sql`last_problem_at`, everySeconds)}
      returning type, name
    )
    insert into event_deliveries (id, endpoint_id, type, order_key, content)
    select
      new_id(), event_endpoints.id, ${type}, new_id(),
      (${JSON.stringify(content)}::text::jsonb || jsonb_build_object('type', noted.type, 'name', noted.name))::json
    from noted
    cross join event_endpoints
    where event_endpoints.workspace_id = ${workspaceId}
      and event_endpoints.is_enabled
      and ${type} = any(event_endpoints.event_types)`;
}

/** Clears the recorded problem of credentials that a provider accepts again. */
export async function forgetProblem(sql: Sql, { workspaceId, credentialsId }: CredentialsPlace): Promise<void> {
  await sql`
    update credentials
    set last_problem = null, last_problem_at = null
    where id = ${credentialsId}
      and workspace_id = ${workspaceId}
      and last_problem_at is not null`;
}
