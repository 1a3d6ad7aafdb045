import { asks, branches, group, says, saysThen, sets, template } from "./template.ts";

const scale = { length: 10, startsAt: 0, buttonType: "Numbers", isOneClickSubmitEnabled: true };

export const feedback = template({
  id: "feedback",
  name: "Feedback (NPS)",
  icon: "⭐",
  about: "Asks how likely people are to recommend you, why, and what one thing would make it better.",
  variables: { score: "Score", group: "Group", reason: "Reason", email: "Email" },
  groups: {
    question: group([0, 0], "The question", [
      says("You know us a little by now. May we ask you two quick questions?"),
      says("How likely are you to recommend us to a friend or colleague?"),
      {
        ...asks("rating input", "score", { ...scale, labels: { left: "Not at all", right: "Very likely" } }),
        to: "sort",
      },
    ]),
    sort: group([1, 0], "By score", [
      branches(
        "score",
        [
          { is: "Greater than", than: "8", to: "promoter" },
          { is: "Greater than", than: "6", to: "passive" },
        ],
        "detractor",
      ),
    ]),
    promoter: group([2, -180], "9 and 10", [
      sets("group", "Promoter"),
      saysThen("why", "That makes our day! ✨ What do you like best?"),
    ]),
    passive: group([2, 80], "7 and 8", [
      sets("group", "Passive"),
      saysThen("why", "Thank you. What would have made it a ten?"),
    ]),
    detractor: group([2, 340], "0 to 6", [
      sets("group", "Detractor"),
      saysThen("why", "Thank you for being frank. What went wrong, or what was missing?"),
    ]),
    why: group([3, 0], "Why", [
      asks("text input", "reason", { isLong: true, labels: { placeholder: "In your own words", button: "Send" } }),
      says("May we come back to you about this? Then leave us your address."),
      asks("email input", "email", { labels: { placeholder: "name@example.com", button: "Send" } }, "thanks"),
    ]),
    thanks: group([4, 0], "Thanks", [says("Thank you! Somebody of us reads this today.")]),
  },
});
