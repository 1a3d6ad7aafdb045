import type { Clock } from "../../platform/concurrency/clock.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { sharedStatements } from "../shared-statements.ts";
import { endTurn, type TurnEnd } from "./end-turn.sql.ts";
import { endTurns, type PlainEnd, plainEndOf } from "./end-turns.sql.ts";
import { type DecisionOrder, type PlainDecision, writeDecision, writeDecisions } from "./rows.sql.ts";
import { type FactsOrder, findTurnFacts, type TurnFacts } from "./turn-facts.sql.ts";

/** Reads contacts, and stores decisions and ends of turns. Concurrent turns share statements. */
export type TurnStore = {
  /** Reads a contact with its active chat. Returns undefined if the contact was erased. */
  facts(order: FactsOrder): Promise<TurnFacts | undefined>;
  /** Stores a decision before it is executed. For the result, see `writeDecision`. */
  decide(id: string, order: DecisionOrder): Promise<string | undefined>;
  /** Ends rows of the inbox and changes their contact. For the result, see `endTurn`. */
  end(end: TurnEnd): Promise<boolean>;
};

export function createTurnStore({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): TurnStore {
  const reads = sharedStatements<FactsOrder, TurnFacts | undefined>(clock, (orders) => findTurnFacts(sql, orders));
  const ends = sharedStatements<PlainEnd, boolean>(clock, (all) => endTurns(sql, all));
  const decisions = sharedStatements<PlainDecision, string | undefined>(clock, (all) => writeDecisions(sql, all));
  return {
    decide(id, order) {
      const { merged, decision, replaces, holder, place } = order;
      if (merged.length > 0) return writeDecision(sql, id, order);
      return decisions.add({ id, decision, replaces, by: { connectionId: place.connectionId, holder } });
    },
    facts: (contact) => reads.add(contact),
    end(end) {
      const plain = plainEndOf(end);
      return plain ? ends.add(plain) : endTurn(sql, end);
    },
  };
}
