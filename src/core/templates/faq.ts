import { asks, group, offers, says, saysThen, template } from "./template.ts";

const more = { "Another question": "topics", "That answers it": "bye", "I’d rather ask a person": "person" };

export const faq = template({
  id: "faq",
  name: "Questions and answers",
  icon: "💬",
  about: "Answers what is asked most, as often as people like, and hands over to a person where that is not enough.",
  variables: { question: "Question", email: "Email" },
  groups: {
    welcome: group([0, 0], "Welcome", [saysThen("topics", "Hello! I know the answers to what we are asked most.")]),
    topics: group([1, 0], "Topics", [
      says("What is it about?"),
      offers({
        Delivery: "delivery",
        "Returns and refunds": "returns",
        "My account": "account",
        "Something else": "person",
      }),
    ]),
    delivery: group([2, -320], "Delivery", [
      says(
        "Orders leave us within one working day, and arrive two to three days later.",
        "You get a mail with a link to follow yours.",
      ),
      offers(more),
    ]),
    returns: group([2, -40], "Returns", [
      says(
        "You can return anything within 30 days, used or not.",
        "The money is back with you within five days of its arrival.",
      ),
      offers(more),
    ]),
    account: group([2, 240], "Account", [
      says(
        "To change your address or your password, open “Account” at the top of any page.",
        "A forgotten password is reset from there, too.",
      ),
      offers(more),
    ]),
    person: group([3, 120], "A person", [
      says("Of course. What would you like to know?"),
      asks("text input", "question", { isLong: true, labels: { placeholder: "Your question", button: "Send" } }),
      says("And where shall we send the answer?"),
      asks("email input", "email", { labels: { placeholder: "name@example.com", button: "Send" } }, "asked"),
    ]),
    asked: group([4, 120], "Asked", [says("Thank you. Somebody of us answers at {{Email}}, mostly on the same day.")]),
    bye: group([3, -240], "Goodbye", [says("Glad to hear it. Have a good day!")]),
  },
});
