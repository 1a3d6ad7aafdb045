import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type Act,
  adds,
  asks,
  block,
  callable,
  changes,
  createFlowWorld,
  type FlowWorld,
  filterOf,
  finds,
  type Groups,
  jump,
  offers,
  pays,
  tells,
  to,
  when,
} from "../support/flow-world.ts";

// Flows with tables, payments, calls and time, as people would write them: what the visitor reads, and what the service at the other end got.

let world: FlowWorld;
beforeAll(async () => {
  world = await createFlowWorld();
});
afterAll(() => world.close());

type Told = {
  readonly does: string;
  readonly groups: () => Groups;
  /** The rows of the sheet before the chat, and after it. */
  readonly rows?: readonly (readonly string[])[];
  readonly leaves?: readonly (readonly string[])[];
  readonly reads?: readonly string[];
  /** The acts in order, each with the texts that it brings. */
  readonly acts: readonly (readonly [Act, ...string[]])[];
  /** The payments that were made, as Stripe has them. */
  readonly charged?: readonly string[];
  readonly logs?: readonly string[];
};

const leads = [["Name", "Phone", "Mail", "Plan", "Team"]];
const people = [
  ...leads,
  ["Ana", "611", "ana@example.com", "Basic", "Red"],
  ["Bob", "622", "bob@example.com", "Plus", "Blue"],
  ["Cleo", "633", "cleo@example.com", "Plus", "Red"],
];

const flows: readonly Told[] = [
  {
    does: "adds a lead; its phone number keeps the zero, and a formula of the visitor is text",
    groups: () => ({
      Ask: [asks("Name"), asks("Phone"), adds({ Name: "{{Name}}", Phone: "{{Phone}}" }), tells("Noted")],
    }),
    rows: leads,
    acts: [[{ says: '=IMPORTXML("https://example.com")' }], [{ says: "0612345678" }, "Noted"]],
    leaves: [...leads, ['=IMPORTXML("https://example.com")', "0612345678", "", "", ""]],
  },
  {
    does: "greets a customer whom the sheet knows by the plan",
    groups: () => ({
      Ask: [
        asks("Mail"),
        finds({ Name: "Name", Plan: "Plan" }, filterOf("AND", [["Mail", "Equal to", "{{Mail}}"]]), {
          totalRowsToExtract: "First",
        }),
        tells("{{Name}} has {{Plan}}"),
      ],
    }),
    rows: people,
    acts: [[{ says: "bob@example.com" }, "Bob has Plus"]],
  },
  {
    does: "asks a new customer for the name, and adds the row that was not found",
    groups: () => ({
      Ask: [
        asks("Mail"),
        finds({ Plan: "Plan" }, filterOf("AND", [["Mail", "Equal to", "{{Mail}}"]])),
        when("Plan", "Is empty", "", "New"),
        tells("You have {{Plan}}"),
      ],
      New: [asks("Name"), adds({ Name: "{{Name}}", Mail: "{{Mail}}", Plan: "Trial" }), tells("Welcome, {{Name}}")],
    }),
    rows: people,
    acts: [[{ says: "eve@example.com" }], [{ says: "Eve" }, "Welcome, Eve"]],
    leaves: [...people, ["Eve", "", "eve@example.com", "Trial", ""]],
    logs: ["Couldn't find any rows matching the filter"],
  },
  {
    does: "moves all people of a team with one plan to another, row by row",
    groups: () => ({
      Ask: [
        asks("Team"),
        changes(
          { Plan: "Gold" },
          filterOf("AND", [
            ["Team", "Equal to", "{{Team}}"],
            ["Phone", "Is set", ""],
          ]),
        ),
        tells("Done"),
      ],
    }),
    rows: people,
    acts: [[{ says: "Red" }, "Done"]],
    leaves: people.map((row) => (row[4] === "Red" ? row.with(3, "Gold") : row)),
  },
  {
    does: "changes nothing where no row matches, and says so in the log",
    groups: () => ({
      Ask: [
        asks("Team"),
        changes({ Plan: "Gold" }, filterOf("AND", [["Team", "Equal to", "{{Team}}"]])),
        tells("Done"),
      ],
    }),
    rows: people,
    acts: [[{ says: "Green" }, "Done"]],
    leaves: people,
    logs: ["Could not find any row that matches the filter"],
  },
  {
    does: "lists the people of either condition",
    groups: () => ({
      Ask: [
        asks("Word"),
        finds(
          { Name: "Name" },
          filterOf("OR", [
            ["Mail", "Starts with", "{{Word}}"],
            ["Plan", "Contains", "asi"],
          ]),
        ),
        tells("{{Name}}"),
      ],
    }),
    rows: people,
    acts: [[{ says: "CLEO" }, '["Ana","Cleo"]']],
  },
  {
    does: "leads to a person's help where the sheet is not shared",
    groups: () => ({
      Ask: [
        asks("Name"),
        adds({ Name: "{{Name}}" }, { spreadsheetId: "not-shared", failure: to("Help") }),
        tells("Noted"),
      ],
      Help: [tells("We call you back"), asks("Phone")],
    }),
    acts: [[{ says: "Ana" }, "We call you back"]],
    logs: ["Google refused the request"],
  },
  {
    does: "takes a payment, and writes it into the sheet with the word for success",
    groups: () => ({
      Ask: [
        asks("Name"),
        pays("12.50", "EUR"),
        adds({ Name: "{{Name}}", Plan: "{{Paid}}" }),
        tells("Thank you, {{Name}}"),
      ],
    }),
    rows: leads,
    acts: [[{ says: "Ana" }], [{ pays: "Success" }, "Thank you, Ana"]],
    leaves: [...leads, ["Ana", "", "", "Success", ""]],
    charged: ["1250 eur"],
  },
  ...(
    [
      ["EUR", "999 eur"],
      ["JPY", "500 jpy"],
      ["KWD", "5000 kwd"],
      ["ISK", "500 isk"],
    ] as const
  ).map(([currency, charged]) => ({
    does: `charges the price of the chosen country in ${currency}`,
    groups: () => ({
      Ask: [
        offers("Currency", "EUR", "JPY", "KWD", "ISK"),
        finds({ Price: "Price" }, filterOf("AND", [["Currency", "Equal to", "{{Currency}}"]]), {
          totalRowsToExtract: "First",
        }),
        pays("{{Price}}", "{{Currency}}"),
        tells("Paid"),
      ],
    }),
    rows: [
      ["Currency", "Price"],
      ["EUR", "9.99"],
      ["JPY", "500"],
      ["KWD", "5"],
      ["ISK", "5"],
    ],
    acts: [[{ says: currency }], [{ pays: "Success" as const }, "Paid"]] as const,
    charged: [charged],
  })),
  {
    does: "leads past a payment whose price is no number",
    groups: () => ({
      Ask: [asks("Price"), pays("{{Price}}", "EUR", { failure: { ...to("Later"), message: "No card today" } })],
      Later: [tells("Pay on site")],
    }),
    acts: [[{ says: "twelve" }, "No card today", "Pay on site"]],
    charged: [],
    logs: ["The amount is not a number"],
  },
  {
    does: "lets a refused card be tried again, and charges once",
    groups: () => ({ Ask: [pays("20", "USD", { retryMessageContent: "Try another card" }), tells("Paid")] }),
    acts: [
      [{ says: "fail" }, "Try another card"],
      [{ pays: "Success" }, "Paid"],
    ],
    charged: ["2000 usd"],
  },
  {
    does: "sells two tickets, one payment each",
    groups: () => ({
      Ask: [
        tells("A ticket"),
        pays("7", "EUR"),
        offers("Word", "One more", "Enough"),
        when("Word", "Equal to", "One more", "Ask"),
        tells("Bye"),
      ],
    }),
    reads: ["A ticket"],
    acts: [
      [{ pays: "Success" }],
      [{ says: "One more" }, "A ticket"],
      [{ pays: "Success" }],
      [{ says: "Enough" }, "Bye"],
    ],
    charged: ["700 eur", "700 eur"],
  },
  {
    does: "reminds of a payment after an hour, and takes it then",
    groups: () => ({
      Ask: [pays("15", "EUR", { timeout: { after: 3_600, ...to("Remind") } }), tells("Paid")],
      Remind: [tells("Your place is still free"), jump("Ask")],
    }),
    acts: [
      [{ minutes: 61 }, "Your place is still free"],
      [{ pays: "Success" }, "Paid"],
    ],
    charged: ["1500 eur"],
  },
  {
    does: "waits for the approval of a colleague, and notes it",
    groups: () => ({
      Ask: [asks("Name"), ...callable(), adds({ Name: "{{Name}}", Plan: "{{Word}}" }), tells("It is {{Word}}")],
    }),
    rows: leads,
    acts: [[{ says: "Ana" }], [{ calls: { word: "approved" } }, "It is approved"]],
    leaves: [...leads, ["Ana", "", "", "approved", ""]],
  },
  {
    does: "tells a refusal from an approval, and waits for the second call",
    groups: () => ({
      First: [...callable(), when("Word", "Equal to", "yes", "Second"), tells("Refused")],
      Second: [tells("The first agreed"), ...callable(), tells("The second said {{Word}}")],
    }),
    acts: [
      [{ calls: { word: "yes" } }, "The first agreed"],
      [{ calls: { word: "no" } }, "The second said no"],
    ],
  },
  {
    does: "keeps a call that comes while the visitor still answers",
    groups: () => {
      const [sets, told, waits] = callable();
      if (!sets || !told || !waits) throw new Error("There is no call");
      return { Ask: [sets, told, asks("Name"), waits, tells("{{Name}}: {{Word}}")] };
    },
    acts: [[{ calls: { word: "delivered" }, isEarly: true }], [{ says: "Ana" }], [{ minutes: 0.1 }, "Ana: delivered"]],
  },
  {
    does: "gives a call up after ten minutes, and answers the late one that nobody waits for",
    groups: () => ({
      Ask: [...callable({ timeout: { after: 600, ...to("Late") } }), tells("Here: {{Word}}")],
      Late: [
        tells("Nobody called. Your phone number?"),
        asks("Phone"),
        adds({ Phone: "{{Phone}}" }),
        tells("We call you"),
      ],
    }),
    rows: leads,
    acts: [
      [{ minutes: 11 }, "Nobody called. Your phone number?"],
      [{ says: "+33612345678" }, "We call you"],
      [{ calls: { word: "late" }, gets: 410 }],
    ],
    leaves: [...leads, ["", "+33612345678", "", "", ""]],
  },
  {
    does: "reminds a silent visitor twice, and takes the answer after that",
    groups: () => ({
      Ask: [asks("Name", { timeout: { after: 120, ...to("Remind") } }), tells("Hello {{Name}}")],
      Remind: [tells("Are you there?"), jump("Ask")],
    }),
    acts: [
      [{ minutes: 3 }, "Are you there?"],
      [{ minutes: 3 }, "Are you there?"],
      [{ says: "Ana" }, "Hello Ana"],
    ],
  },
  {
    does: "goes on past a question that nobody answers, and comes back after a day",
    groups: () => ({
      Ask: [
        asks("Phone", { timeout: { after: 60 } }),
        tells("Then without"),
        block("Wait", { secondsToWaitFor: "86400", shouldPause: true }),
        tells("A day later"),
      ],
    }),
    acts: [
      [{ minutes: 2 }, "Then without"],
      [{ minutes: 1_441 }, "A day later"],
    ],
  },
  {
    does: "pays, waits for the delivery, and marks the order in the sheet as delivered",
    groups: () => ({
      Ask: [
        asks("Mail"),
        pays("30", "EUR"),
        ...callable({ timeout: { after: 600, ...to("Slow") } }),
        changes({ Plan: "{{Word}}" }, filterOf("AND", [["Mail", "Equal to", "{{Mail}}"]])),
        tells("Enjoy it"),
      ],
      Slow: [changes({ Plan: "slow" }, filterOf("AND", [["Mail", "Equal to", "{{Mail}}"]])), tells("It takes longer")],
    }),
    rows: people,
    acts: [[{ says: "ana@example.com" }], [{ pays: "Success" }], [{ minutes: 11 }, "It takes longer"]],
    leaves: people.map((row) => (row[0] === "Ana" ? row.with(3, "slow") : row)),
    charged: ["3000 eur"],
  },
];

/** Google gives a row up to its last cell with a text. */
const withoutBlankEnd = (row: readonly string[]): string[] =>
  row.slice(0, row.findLastIndex((cell) => cell !== "") + 1);

test.each(flows.map((flow) => [flow.does, flow] as const))("a flow that %s", async (_, flow) => {
  const before = new Set(world.stripe.intents.keys());
  const chat = await world.open(flow.groups(), flow.rows ?? leads);
  expect(chat.read).toEqual([...(flow.reads ?? [])]);
  for (const [act, ...read] of flow.acts) expect(await chat.take(act)).toEqual(read);
  if (flow.leaves) expect(chat.rows()).toEqual(flow.leaves.map(withoutBlankEnd));
  const paid = [...world.stripe.intents.values()].filter(({ id, status }) => !before.has(id) && status === "succeeded");
  if (flow.charged) expect(paid.map((one) => `${one.amount_received} ${one.currency}`)).toEqual([...flow.charged]);
  const logs = await chat.logs();
  if (flow.logs) expect(logs.map(({ description }) => description)).toEqual(expect.arrayContaining([...flow.logs]));
  else expect(logs.filter(({ status }) => status === "error")).toEqual([]);
});
