import type { Script } from "./scripts.ts";

/**
 * Six small flows. Together they combine the features of real flows: payments of a variable amount, timed questions
 * after slow calls, calls from outside, models, links and loops.
 */
export const flows = {
  /** The visitor chooses the price, and the menu leads back to the choice. */
  shop: {
    scenes: {
      choice: { parts: [{ say: "What would you like?" }, { choose: { Tea: "tea", Gold: "gold" } }] },
      tea: { parts: [{ set: "Price", to: "5" }], next: "till" },
      gold: { parts: [{ set: "Price", to: "900" }], next: "till" },
      till: { parts: [{ pay: "{{Price}}", else: "unpaid" }, { say: "You paid {{Price}}" }], next: "again" },
      again: { parts: [{ choose: { More: "choice", Enough: "bye" } }] },
      unpaid: { parts: [{ say: "It could not be paid" }], next: "again" },
      bye: { parts: [{ ask: "text", into: "Note" }, { say: "Goodbye, {{Note}}" }] },
    },
    commands: { menu: { to: "choice", resumes: false } },
  },
  /** A visitor who does not answer is reminded, and the question is repeated. */
  patient: {
    scenes: {
      name: {
        parts: [{ say: "Your name?" }, { ask: "text", into: "Name", timed: { seconds: 60, late: "remind" } }],
        next: "age",
      },
      remind: { parts: [{ say: "Are you there?" }], next: "name" },
      age: {
        parts: [
          { say: "Hello {{Name}}, how old?" },
          { ask: "number", into: "Note", timed: { seconds: 100, late: "late" } },
        ],
        next: "loop",
      },
      late: { parts: [{ say: "Never mind" }], next: "loop" },
      loop: { parts: [{ choose: { Again: "name", Done: "end" } }] },
      end: { parts: [{ say: "Bye {{Name}}" }] },
    },
    commands: { help: { to: "help", resumes: true }, restart: { to: "name", resumes: false } },
  },
  /** A call before a timed question and a timed payment may be slow. */
  order: {
    scenes: {
      item: {
        parts: [
          { say: "Which item?" },
          { ask: "text", into: "Note" },
          { fetch: "Price" },
          { say: "That is {{Price}}" },
        ],
        next: "sure",
      },
      sure: { parts: [{ choose: { Yes: "till", No: "item" }, timed: { seconds: 60, late: "slow" } }] },
      slow: { parts: [{ say: "You took your time" }], next: "sure" },
      till: {
        parts: [
          { fetch: "Word" },
          { pay: "{{Price}}", else: "free", timed: { seconds: 100, late: "unpaid" } },
          { say: "Thanks for {{Price}}" },
        ],
        next: "end",
      },
      unpaid: { parts: [{ say: "The time to pay is over" }], next: "sure" },
      free: { parts: [{ say: "Then it is for free" }], next: "end" },
      end: { parts: [{ ask: "text", into: "Name" }, { say: "Sent to {{Name}}" }] },
    },
  },
  /** Shows its callback address, and waits for a call. */
  parcel: {
    scenes: {
      hand: {
        parts: [{ address: "Address" }, { say: "Call {{Address}}" }, { ask: "number", into: "Note" }],
        next: "hear",
      },
      hear: {
        parts: [{ hear: "Order", timed: { seconds: 100, late: "silent" } }, { say: "Order {{Order}} has come" }],
        next: "more",
      },
      silent: { parts: [{ say: "Nobody called" }, { wait: 40 }], next: "hand" },
      more: { parts: [{ choose: { Again: "hand", Done: "done" } }] },
      done: { parts: [{ say: "That was {{Order}}" }] },
    },
    commands: { help: { to: "help", resumes: true } },
  },
  /** A model answers repeatedly. */
  adviser: {
    scenes: {
      ask: {
        parts: [{ say: "Ask me" }, { ask: "text", into: "Note" }, { model: "Word" }, { say: "{{Word}}" }],
        next: "more",
      },
      more: { parts: [{ choose: { Next: "ask", Thanks: "end" }, timed: { seconds: 100, late: "end" } }] },
      end: { parts: [{ say: "You are welcome" }] },
    },
  },
  /** Links to two other flows: one is merged, and one has a separate result. */
  tour: {
    scenes: {
      hello: {
        parts: [
          { say: "Who are you?" },
          { ask: "text", into: "Name" },
          { link: "desk", isMerging: true },
          { say: "From {{Note}}, then" },
        ],
        next: "own",
      },
      own: {
        parts: [{ link: "desk", isMerging: false }, { pay: "7", else: "unpaid" }, { say: "A good tour, {{Name}}" }],
        next: "last",
      },
      unpaid: { parts: [{ say: "No tour today" }], next: "last" },
      last: { parts: [{ choose: { Again: "own", Home: "home" } }] },
      home: { parts: [{ say: "Home" }] },
    },
    commands: { menu: { to: "last", resumes: false } },
  },
} satisfies Readonly<Record<string, Script>>;

/** Flows to which other flows link. No visitor starts these flows directly. */
export const linkedFlows = {
  desk: {
    scenes: {
      desk: {
        parts: [
          { say: "Where from, {{Name}}?" },
          { ask: "text", into: "Note", timed: { seconds: 100, late: "nowhere" } },
          { fetch: "Word" },
        ],
        next: "how",
      },
      nowhere: { parts: [{ say: "From nowhere" }], next: "how" },
      how: { parts: [{ say: "How many?" }, { ask: "number", into: "Price" }] },
    },
  },
} satisfies Readonly<Record<string, Script>>;

const help: Script["scenes"] = { help: { parts: [{ say: "No question is stupid" }] } };

/** Every flow by its name. Flows with a command `help` include the scene of that command. */
export const scripts: ReadonlyMap<string, Script> = new Map(
  Object.entries<Script>({ ...flows, ...linkedFlows }).map(([name, script]) => [
    name,
    script.commands?.["help"] ? { ...script, scenes: { ...script.scenes, ...help } } : script,
  ]),
);
