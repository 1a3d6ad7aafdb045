/** A flow as an author writes it in the builder, and visitors who complete it. */
export type WrittenFlow = {
  readonly title: string;
  /** Inputs with the variables that store their replies. */
  readonly asks: readonly (readonly [input: "Text input" | "Number", variable: string])[];
  /** Variables that are set to expressions, as typed by the author. */
  readonly sets: readonly (readonly [variable: string, expression: string])[];
  /** The condition on which the flow branches. */
  readonly when: readonly [variable: string, operator: string, value: string];
  readonly visitors: readonly Visitor[];
};

export type Visitor = {
  readonly says: readonly string[];
  /** Whether the condition is true for this visitor. */
  readonly holds: boolean;
  /** The expected values of the variables that are set. */
  readonly gets: Readonly<Record<string, string | readonly string[]>>;
};

/** Each flow contains arithmetic, texts and lists, and a condition on their results. */
export const writtenFlows: readonly WrittenFlow[] = [
  {
    title: "Price with tax",
    asks: [
      ["Number", "Price"],
      ["Text input", "Wish"],
    ],
    sets: [
      ["Total", "Math.round({{Price}} * 119) / 100"],
      ["Shout", "{{Wish}}.toUpperCase()"],
      ["Parts", '{{Wish}}.split(" ")'],
    ],
    when: ["Total", "Greater than", "100"],
    visitors: [
      { says: ["100", "red shoes"], holds: true, gets: { Total: "119", Shout: "RED SHOES", Parts: ["red", "shoes"] } },
      { says: ["20", "a hat"], holds: false, gets: { Total: "23.8", Shout: "A HAT", Parts: ["a", "hat"] } },
    ],
  },
  {
    title: "A bill among guests",
    asks: [
      ["Number", "Bill"],
      ["Number", "Guests"],
    ],
    sets: [
      ["Each", "{{Bill}} * 1.25 / {{Guests}}"],
      ["Sentence", '"You pay " + {{Each}} + " each"'],
      ["Seats", 'Array.from({ length: {{Guests}} }, (_, at) => "Seat " + (at + 1))'],
    ],
    when: ["Each", "Less than", "20"],
    visitors: [
      {
        says: ["30", "3"],
        holds: true,
        gets: { Each: "12.5", Sentence: "You pay 12.5 each", Seats: ["Seat 1", "Seat 2", "Seat 3"] },
      },
      {
        says: ["100", "2"],
        holds: false,
        gets: { Each: "62.5", Sentence: "You pay 62.5 each", Seats: ["Seat 1", "Seat 2"] },
      },
    ],
  },
  {
    title: "The mean of marks",
    asks: [["Text input", "Grades"]],
    sets: [
      ["Marks", '{{Grades}}.split(",").map(Number)'],
      ["Mean", "{{Marks}}.map(Number).reduce((sum, mark) => sum + mark, 0) / {{Marks}}.length"],
      ["Verdict", '{{Mean}} < 2.5 ? "good".toUpperCase() : "fair"'],
    ],
    when: ["Mean", "Less than", "2.5"],
    visitors: [
      { says: ["1, 2, 3"], holds: true, gets: { Marks: ["1", "2", "3"], Mean: "2", Verdict: "GOOD" } },
      { says: ["2,4,3"], holds: false, gets: { Marks: ["2", "4", "3"], Mean: "3", Verdict: "fair" } },
    ],
  },
  {
    title: "A word that is the same backwards",
    asks: [["Text input", "Word"]],
    sets: [
      ["Turned", '[...{{Word}}].reverse().join("")'],
      ["Letters", "[...new Set({{Word}})]"],
      ["Repeats", "{{Word}}.length - {{Letters}}.length"],
    ],
    when: ["Turned", "Equal to", "{{Word}}"],
    visitors: [
      { says: ["level"], holds: true, gets: { Turned: "level", Letters: ["l", "e", "v"], Repeats: "2" } },
      { says: ["river"], holds: false, gets: { Turned: "revir", Letters: ["r", "i", "v", "e"], Repeats: "1" } },
    ],
  },
  {
    title: "A basket",
    asks: [["Text input", "Items"]],
    sets: [
      ["Basket", '{{Items}}.split(",").map((item) => item.trim())'],
      ["Once", "[...new Set({{Basket}})].sort()"],
      ["Label", '{{Once}}.join(" & ")'],
      ["Cost", "{{Basket}}.length * 2.5"],
    ],
    when: ["Cost", "Greater or equal to", "7.5"],
    visitors: [
      {
        says: ["milk, bread, milk"],
        holds: true,
        gets: { Basket: ["milk", "bread", "milk"], Once: ["bread", "milk"], Label: "bread & milk", Cost: "7.5" },
      },
      {
        says: ["tea, jam"],
        holds: false,
        gets: { Basket: ["tea", "jam"], Once: ["jam", "tea"], Label: "jam & tea", Cost: "5" },
      },
    ],
  },
  {
    title: "Degrees",
    asks: [["Number", "Celsius"]],
    sets: [
      ["Fahrenheit", "{{Celsius}} * 9 / 5 + 32"],
      ["Feeling", '{{Fahrenheit}} > 80 ? "hot" : "mild"'],
      ["Scale", "[{{Celsius}}, {{Fahrenheit}}]"],
    ],
    when: ["Feeling", "Equal to", "hot"],
    visitors: [
      { says: ["30"], holds: true, gets: { Fahrenheit: "86", Feeling: "hot", Scale: ["30", "86"] } },
      { says: ["-5"], holds: false, gets: { Fahrenheit: "23", Feeling: "mild", Scale: ["-5", "23"] } },
    ],
  },
  {
    title: "Body mass",
    asks: [
      ["Number", "Weight"],
      ["Number", "Größe"],
    ],
    sets: [
      ["Index", "Math.round({{Weight}} / ({{Größe}} / 100) ** 2)"],
      ["Advice", '"Index " + {{Index}}'],
      ["Bounds", "[18, 25].filter((bound) => {{Index}} >= bound)"],
    ],
    when: ["Index", "Less than", "25"],
    visitors: [
      { says: ["70", "175"], holds: true, gets: { Index: "23", Advice: "Index 23", Bounds: ["18"] } },
      { says: ["90", "170"], holds: false, gets: { Index: "31", Advice: "Index 31", Bounds: ["18", "25"] } },
    ],
  },
  {
    title: "Initials",
    asks: [["Text input", "Full name"]],
    sets: [
      ["Words", "{{Full name}}.trim().split(/\\s+/)"],
      ["Initials", '{{Words}}.map((word) => word[0]).join("").toUpperCase()'],
      ["Middle", "{{Words}}.length - 2"],
    ],
    when: ["Initials", "Matches regex", "^..$"],
    visitors: [
      { says: ["ada lovelace"], holds: true, gets: { Words: ["ada", "lovelace"], Initials: "AL", Middle: "0" } },
      {
        says: ["Alan Mathison Turing"],
        holds: false,
        gets: { Words: ["Alan", "Mathison", "Turing"], Initials: "AMT", Middle: "1" },
      },
    ],
  },
  {
    title: "How strong a phrase is",
    asks: [["Text input", "Phrase"]],
    sets: [
      ["Digits", "{{Phrase}}.match(/[0-9]/g)"],
      ["Strength", "{{Phrase}}.length + {{Digits}}.length * 5"],
      ["Masked", '{{Phrase}}.slice(0, 2) + "*".repeat({{Phrase}}.length - 2)'],
    ],
    when: ["Strength", "Greater than", "15"],
    visitors: [
      {
        says: ["abc123def4"],
        holds: true,
        gets: { Digits: ["1", "2", "3", "4"], Strength: "30", Masked: "ab********" },
      },
      { says: ["sho7t"], holds: false, gets: { Digits: ["7"], Strength: "10", Masked: "sh***" } },
    ],
  },
  {
    title: "Days as weeks",
    asks: [["Number", "Days"]],
    sets: [
      ["Weeks", "Math.floor({{Days}} / 7)"],
      ["Rest", "{{Days}} % 7"],
      ["Sentence", '{{Weeks}} + " weeks, " + {{Rest}} + " days"'],
      ["Calendar", 'Array({{Weeks}}).fill("week")'],
    ],
    when: ["Rest", "Equal to", "0"],
    visitors: [
      {
        says: ["21"],
        holds: true,
        gets: { Weeks: "3", Rest: "0", Sentence: "3 weeks, 0 days", Calendar: ["week", "week", "week"] },
      },
      {
        says: ["17"],
        holds: false,
        gets: { Weeks: "2", Rest: "3", Sentence: "2 weeks, 3 days", Calendar: ["week", "week"] },
      },
    ],
  },
  {
    title: "Figures in order",
    asks: [["Text input", "Figures"]],
    sets: [
      ["Sorted", '{{Figures}}.split(" ").map(Number).sort((a, b) => a - b)'],
      ["Spread", "{{Sorted}}.at(-1) - {{Sorted}}[0]"],
      ["Chain", '{{Sorted}}.join(" < ")'],
    ],
    when: ["Spread", "Greater than", "5"],
    visitors: [
      { says: ["5 3 19"], holds: true, gets: { Sorted: ["3", "5", "19"], Spread: "16", Chain: "3 < 5 < 19" } },
      { says: ["4 2"], holds: false, gets: { Sorted: ["2", "4"], Spread: "2", Chain: "2 < 4" } },
    ],
  },
  {
    title: "A code for less",
    asks: [
      ["Text input", "Code"],
      ["Number", "Amount"],
    ],
    sets: [
      ["Clean", "{{Code}}.toLowerCase()"],
      ["Rate", '{{Clean}}.startsWith("vip") ? 0.25 : 0.05'],
      ["Due", "{{Amount}} - {{Amount}} * {{Rate}}"],
      ["Sums", "[{{Amount}}, {{Due}}]"],
    ],
    when: ["Clean", "Starts with", "vip"],
    visitors: [
      { says: ["VIP-7", "200"], holds: true, gets: { Clean: "vip-7", Rate: "0.25", Due: "150", Sums: ["200", "150"] } },
      { says: ["None", "200"], holds: false, gets: { Clean: "none", Rate: "0.05", Due: "190", Sums: ["200", "190"] } },
    ],
  },
  {
    title: "Votes",
    asks: [["Text input", "Votes"]],
    sets: [
      ["Ballots", '{{Votes}}.split(" ")'],
      ["Share", 'Math.round(100 * {{Ballots}}.filter((one) => one === "a").length / {{Ballots}}.length)'],
      ["Notice", '{{Share}} + " %"'],
    ],
    when: ["Share", "Greater than", "50"],
    visitors: [
      { says: ["a b a"], holds: true, gets: { Ballots: ["a", "b", "a"], Share: "67", Notice: "67 %" } },
      { says: ["b a"], holds: false, gets: { Ballots: ["b", "a"], Share: "50", Notice: "50 %" } },
    ],
  },
  {
    title: "Savings",
    asks: [
      ["Number", "Deposit"],
      ["Number", "Years"],
    ],
    sets: [
      ["Growth", "Array.from({ length: {{Years}} }, (_, at) => Math.round({{Deposit}} * 1.05 ** (at + 1)))"],
      ["Gain", "{{Growth}}[{{Years}} - 1] - {{Deposit}}"],
      ["Phrase", '"Plus " + {{Gain}}'],
    ],
    when: ["Gain", "Greater than", "100"],
    visitors: [
      { says: ["2000", "3"], holds: true, gets: { Growth: ["2100", "2205", "2315"], Gain: "315", Phrase: "Plus 315" } },
      { says: ["100", "2"], holds: false, gets: { Growth: ["105", "110"], Gain: "10", Phrase: "Plus 10" } },
    ],
  },
  {
    title: "Hours of work",
    asks: [["Text input", "Times"]],
    sets: [
      ["Clock", '{{Times}}.split(" ").map((time) => time.split(":")[0] * 60 + time.split(":")[1] * 1)'],
      ["Minutes", "{{Clock}}[1] - {{Clock}}[0]"],
      ["Worked", 'Math.floor({{Minutes}} / 60) + " h " + {{Minutes}} % 60 + " min"'],
    ],
    when: ["Minutes", "Less or equal to", "480"],
    visitors: [
      { says: ["9:00 12:00"], holds: true, gets: { Clock: ["540", "720"], Minutes: "180", Worked: "3 h 0 min" } },
      { says: ["8:30 17:15"], holds: false, gets: { Clock: ["510", "1035"], Minutes: "525", Worked: "8 h 45 min" } },
    ],
  },
  {
    title: "A title as an address",
    asks: [["Text input", "Title"]],
    sets: [
      ["Slug", '{{Title}}.toLowerCase().replace(/[^a-z]+/g, "-")'],
      ["Pieces", '{{Slug}}.split("-")'],
      ["Half", "{{Slug}}.length / 2"],
    ],
    when: ["Slug", "Contains", "bot"],
    visitors: [
      { says: ["My Bot 2 go"], holds: true, gets: { Slug: "my-bot-go", Pieces: ["my", "bot", "go"], Half: "4.5" } },
      { says: ["Plain, text"], holds: false, gets: { Slug: "plain-text", Pieces: ["plain", "text"], Half: "5" } },
    ],
  },
  {
    title: "Rows of seats",
    asks: [
      ["Number", "Rows"],
      ["Number", "Columns"],
    ],
    sets: [
      ["Seats", "{{Rows}} * {{Columns}}"],
      ["Letters", "Array.from({ length: {{Rows}} }, (_, at) => String.fromCharCode(65 + at))"],
      ["Label", '{{Letters}}.join("") + {{Columns}}'],
    ],
    when: ["Label", "Ends with", "C4"],
    visitors: [
      { says: ["3", "4"], holds: true, gets: { Seats: "12", Letters: ["A", "B", "C"], Label: "ABC4" } },
      { says: ["4", "5"], holds: false, gets: { Seats: "20", Letters: ["A", "B", "C", "D"], Label: "ABCD5" } },
    ],
  },
  {
    title: "A series",
    asks: [["Number", "Length"]],
    sets: [
      [
        "Series",
        "const list = [1, 1]; while (list.length < {{Length}}) list.push(list.at(-1) + list.at(-2)); return list",
      ],
      ["Last", "{{Series}}.at(-1) * 10"],
      ["Sentence", '"Ten times " + {{Series}}.at(-1) + " is " + {{Last}}'],
    ],
    when: ["Series", "Contains", "21"],
    visitors: [
      {
        says: ["8"],
        holds: true,
        gets: {
          Series: ["1", "1", "2", "3", "5", "8", "13", "21"],
          Last: "210",
          Sentence: "Ten times 21 is 210",
        },
      },
      {
        says: ["4"],
        holds: false,
        gets: { Series: ["1", "1", "2", "3"], Last: "30", Sentence: "Ten times 3 is 30" },
      },
    ],
  },
  {
    title: "A greeting",
    asks: [
      ["Text input", "Guest"],
      ["Number", "Hour"],
    ],
    sets: [
      ["Part", '{{Hour}} < 12 ? "morning" : "evening"'],
      ["Left", "24 - {{Hour}}"],
      ["Words", '["Good", {{Part}}, {{Guest}}]'],
      ["Greeting", '{{Words}}.join(" ")'],
    ],
    when: ["Part", "Not equal", "evening"],
    visitors: [
      {
        says: ["Vera", "9"],
        holds: true,
        gets: { Part: "morning", Left: "15", Words: ["Good", "morning", "Vera"], Greeting: "Good morning Vera" },
      },
      {
        says: ["Ben", "20"],
        holds: false,
        gets: { Part: "evening", Left: "4", Words: ["Good", "evening", "Ben"], Greeting: "Good evening Ben" },
      },
    ],
  },
  {
    title: "A test with points",
    asks: [["Text input", "Answers"]],
    sets: [
      ["Given", '{{Answers}}.split(" ")'],
      ["Points", '{{Given}}.reduce((sum, one) => sum + (one === "yes" ? 10 : 0), 0)'],
      ["Verdict", '{{Points}} >= 20 ? "passed" : "failed"'],
      ["Wrong", '{{Given}}.map((one, at) => (one === "no" ? at + 1 : 0)).filter(Boolean)'],
    ],
    when: ["Verdict", "Does not contain", "fail"],
    visitors: [
      {
        says: ["yes no yes"],
        holds: true,
        gets: { Given: ["yes", "no", "yes"], Points: "20", Verdict: "passed", Wrong: ["2"] },
      },
      {
        says: ["no no yes"],
        holds: false,
        gets: { Given: ["no", "no", "yes"], Points: "10", Verdict: "failed", Wrong: ["1", "2"] },
      },
    ],
  },
];
