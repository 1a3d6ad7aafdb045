import type { StatementFault } from "../../../support/database-proxy.ts";
import { between, type Fault, type Field } from "../field.ts";

const everything = /./;

function forAWhile(name: string, fault: StatementFault, least: number, most: number): Fault {
  return {
    name,
    async strike({ proxy, random }) {
      const injected = proxy.inject(fault);
      await Bun.sleep(between(random, least, most));
      injected.end();
    },
  };
}

function whole(name: string, begin: (field: Field) => void, least: number, most: number): Fault {
  return {
    name,
    async strike(field) {
      begin(field);
      await Bun.sleep(between(field.random, least, most));
      field.proxy.thaw();
    },
  };
}

/** Temporary SQLSTATEs: a repeated request succeeds. */
const ofStatements = ["53100", "53200", "57014", "55P03", "40001", "40P01"];
const ofConnections = ["53300", "57P03", "28000", "28P01"];

export const connectionFaults: readonly Fault[] = [
  { name: "all connections cut", strike: async ({ proxy }) => proxy.cut() },
  forAWhile(
    "connections cut before a statement",
    { statement: everything, kind: "cut", when: "before", times: 10 },
    500,
    1_500,
  ),
  forAWhile(
    "connections cut after a commit",
    { statement: everything, kind: "cut", when: "after", times: 10 },
    500,
    1_500,
  ),
  forAWhile("every statement late by 300 ms", { statement: everything, kind: "delay", ms: 300 }, 2_000, 6_000),
  forAWhile("some connections silent for ever", { statement: everything, kind: "silence", times: 3 }, 500, 1_000),
  whole("all connections blackholed", ({ proxy }) => proxy.freeze(), 2_000, 15_000),
  whole("connections refused", ({ proxy }) => proxy.refuse(), 1_000, 6_000),
];

export const sqlStateFaults: readonly Fault[] = [
  ...ofStatements.map(
    (sqlState): Fault => ({
      ...forAWhile(
        `SQLSTATE ${sqlState} to every statement`,
        { statement: everything, kind: "error", sqlState },
        1_000,
        4_000,
      ),
      weight: 0.3,
    }),
  ),
  ...ofConnections.map(
    (sqlState): Fault => ({
      ...whole(
        `SQLSTATE ${sqlState} to every connection`,
        ({ proxy }) => {
          proxy.reject(sqlState);
          proxy.cut();
        },
        1_000,
        5_000,
      ),
      weight: 0.4,
    }),
  ),
  {
    ...forAWhile(
      "SQLSTATE 57P01 and the end of the connection",
      { statement: everything, kind: "error", sqlState: "57P01", isFatal: true, times: 20 },
      500,
      1_500,
    ),
    weight: 0.4,
  },
];
