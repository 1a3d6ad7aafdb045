import { asks, group, offers, says, saysThen, template } from "./template.ts";

export const leadCapture = template({
  id: "lead-capture",
  name: "Lead capture",
  icon: "👋",
  about: "Greets visitors, learns what they need and by when, and leaves you a name and an address to answer to.",
  variables: { name: "Name", need: "Need", when: "When", email: "Email", message: "Message" },
  groups: {
    welcome: group([0, 0], "Welcome", [
      says("Hi, and welcome! 👋", "A few short questions, and the right person here gets back to you."),
      says("What shall we call you?"),
      asks("text input", "name", { labels: { placeholder: "Your name", button: "That’s me" } }, "need"),
    ]),
    need: group([1, 0], "What they need", [
      says("Good to meet you, {{Name}}. What brings you here?"),
      offers(
        { "A new project": "when", "Help with something I have": "when", "Just looking": "later" },
        { variableId: "need" },
      ),
    ]),
    when: group([2, 0], "By when", [
      says("And when would you like to begin?"),
      offers(
        { "This month": undefined, "In the next three months": undefined, "Not sure yet": undefined },
        { variableId: "when", to: "contact" },
      ),
    ]),
    contact: group([3, 0], "How to reach them", [
      says("Where can we write to you?"),
      asks("email input", "email", { labels: { placeholder: "name@example.com", button: "Continue" } }),
      says("Last one: is there anything that we should know beforehand?"),
      asks(
        "text input",
        "message",
        { isLong: true, labels: { placeholder: "A sentence or two is plenty", button: "Send" } },
        "thanks",
      ),
    ]),
    thanks: group([4, 0], "Thanks", [
      says("Thank you, {{Name}}! We read every message, and answer at {{Email}} within two working days."),
    ]),
    later: group([2, 320], "Just looking", [
      says("Look around as long as you like. Shall we write to you when there is something new?"),
      offers({ "Yes, please": "contact", "No, thanks": "bye" }),
    ]),
    bye: group([3, 420], "Goodbye", [saysThen("invitation", "That’s fine, {{Name}}.")]),
    invitation: group([4, 420], "Door open", [says("Should a question come up, this chat is the quickest way to us.")]),
  },
});
