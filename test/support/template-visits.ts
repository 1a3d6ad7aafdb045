/**
 * A visitor of a bot created from a template: the replies, the messages after the last reply, and the stored result.
 */
export type TemplateVisit = {
  readonly template: string;
  readonly says: readonly string[];
  readonly told: readonly string[];
  readonly keeps: Readonly<Record<string, string | readonly string[]>>;
};

/** Visits to all templates. Together, they reach every end of each flow. */
export const templateVisits: readonly TemplateVisit[] = [
  {
    template: "Quiz with score",
    says: ["Let’s go", "The seed of a fruit", "Brazil", "One mug of filter coffee"],
    told: [
      "Right! An espresso is stronger, but a mug holds far more.",
      "You have 3 of 3.",
      "All of them! You could stand behind the counter. 🏆",
    ],
    keeps: { Score: "3" },
  },
  {
    template: "Quiz with score",
    says: ["Let’s go", "A root", "Brazil", "One espresso"],
    told: [
      "Not quite: an espresso is stronger, but a mug holds far more.",
      "You have 1 of 3.",
      "Well done: you clearly like your coffee.",
      "Once more?",
    ],
    keeps: { Score: "1" },
  },
  {
    template: "Quiz with score",
    says: ["Let’s go", "A root", "Italy", "One espresso"],
    told: [
      "Not quite: an espresso is stronger, but a mug holds far more.",
      "You have 0 of 3.",
      "A tea drinker, perhaps? Now you know three things more.",
      "Once more?",
    ],
    keeps: { Score: "0" },
  },
  {
    template: "Quiz with score",
    says: [
      ...["Let’s go", "A root", "Brazil", "One mug of filter coffee", "Play again"],
      ...["Let’s go", "The seed of a fruit", "Vietnam", "One espresso", "That was enough"],
    ],
    told: ["Thanks for playing!"],
    keeps: { Score: "1" },
  },
  {
    template: "Feedback (NPS)",
    says: ["9", "The people", "ada@example.com"],
    told: ["Thank you! Somebody of us reads this today."],
    keeps: { Score: "9", Group: "Promoter", Reason: "The people", Email: "ada@example.com" },
  },
  {
    template: "Feedback (NPS)",
    says: ["8", "The price", "ada@example.com"],
    told: ["Thank you! Somebody of us reads this today."],
    keeps: { Score: "8", Group: "Passive", Reason: "The price", Email: "ada@example.com" },
  },
  {
    template: "Feedback (NPS)",
    says: ["6", "The wait", "ada@example.com"],
    told: ["Thank you! Somebody of us reads this today."],
    keeps: { Score: "6", Group: "Detractor", Reason: "The wait", Email: "ada@example.com" },
  },
  {
    template: "Support triage",
    says: ["I cannot sign in", "It did not", "I pressed it", "I can’t work at all", "ada@example.com"],
    told: ["Your report is with us (priority: High). We write to ada@example.com as soon as we know more."],
    keeps: {
      Topic: "I cannot sign in",
      Urgency: "I can’t work at all",
      "What happened": "I pressed it",
      Priority: "High",
      Email: "ada@example.com",
    },
  },
  {
    template: "Support triage",
    says: ["A bill", "It is too high", "It can wait", "ada@example.com"],
    told: ["Your report is with us (priority: Normal). We write to ada@example.com as soon as we know more."],
    keeps: {
      Topic: "A bill",
      Urgency: "It can wait",
      "What happened": "It is too high",
      Priority: "Normal",
      Email: "ada@example.com",
    },
  },
  {
    template: "Support triage",
    says: ["Something does not work", "It is gone"],
    told: ["Good! That is the best kind of report. Have a nice day."],
    keeps: { Topic: "Something does not work" },
  },
  {
    template: "Lead capture",
    says: ["Ada", "A new project", "This month", "ada@example.com", "No"],
    told: ["Thank you, Ada! We read every message, and answer at ada@example.com within two working days."],
    keeps: { Name: "Ada", Need: "A new project", When: "This month", Email: "ada@example.com", Message: "No" },
  },
  {
    template: "Newsletter sign-up",
    says: ["How we work, Events", "Once a month", "Yes, that’s fine", "ada@example.com"],
    told: [
      "Done: Once a month, about How we work, Events.",
      "Look into your mail for a link to confirm ada@example.com. See you there!",
    ],
    keeps: { Topics: "How we work, Events", Rhythm: "Once a month", Email: "ada@example.com" },
  },
  {
    template: "Newsletter sign-up",
    says: ["Events", "Each week", "No, thank you"],
    told: ["Then we won’t write. Our letters are open to read on our site at any time."],
    keeps: { Topics: "Events", Rhythm: "Each week" },
  },
  {
    template: "Appointment request",
    says: ["A follow-up", "2026-12-24", "Morning", "Ada", "+4930901820", "Yes, send it"],
    told: [
      "Sent! It is a request so far.",
      "We confirm it by phone or message within one working day. See you soon, Ada!",
    ],
    keeps: { Reason: "A follow-up", Day: "24/12/2026", "Time of day": "Morning", Name: "Ada", Phone: "+4930901820" },
  },
  {
    template: "Appointment request",
    says: ["Something urgent", "I’ll call"],
    told: ["Please do: we are there from 8 to 12. Get well, or good luck!"],
    keeps: { Reason: "Something urgent" },
  },
  {
    template: "Questions and answers",
    says: [
      "Delivery",
      "Another question",
      "My account",
      "I’d rather ask a person",
      "Where are you?",
      "ada@example.com",
    ],
    told: ["Thank you. Somebody of us answers at ada@example.com, mostly on the same day."],
    keeps: { Question: "Where are you?", Email: "ada@example.com" },
  },
  {
    template: "Questions and answers",
    says: ["Returns and refunds", "That answers it"],
    told: ["Glad to hear it. Have a good day!"],
    keeps: {},
  },
  {
    template: "Lead capture",
    says: ["Lin", "Just looking", "No, thanks"],
    told: ["That’s fine, Lin.", "Should a question come up, this chat is the quickest way to us."],
    keeps: { Name: "Lin", Need: "Just looking" },
  },
];
