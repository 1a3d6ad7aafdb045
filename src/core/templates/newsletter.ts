import { asks, group, offers, says, saysThen, template } from "./template.ts";

export const newsletter = template({
  id: "newsletter",
  name: "Newsletter sign-up",
  icon: "✉️",
  about: "Says what people get and how often, lets them choose topics, and asks for consent before the address.",
  variables: { topics: "Topics", rhythm: "Rhythm", email: "Email" },
  groups: {
    welcome: group([0, 0], "What you get", [
      says("One short letter, written by people, with nothing to sell in it. 📬"),
      says("What would you like to read about? Choose as many as you like."),
      {
        type: "choice input",
        options: { variableId: "topics", isMultipleChoice: true, buttonLabel: "These" },
        items: [{ content: "New things we made" }, { content: "How we work" }, { content: "Events" }],
        to: "rhythm",
      },
    ]),
    rhythm: group([1, 0], "How often", [
      says("And how often?"),
      offers({ "Each week": undefined, "Once a month": undefined }, { variableId: "rhythm", to: "consent" }),
    ]),
    consent: group([2, 0], "Consent", [
      says("We use your address for this letter alone, and each one has a link to leave. Is that all right?"),
      offers({ "Yes, that’s fine": "address", "No, thank you": "no" }),
    ]),
    address: group([3, 0], "Address", [
      says("Lovely. Where shall it go?"),
      asks("email input", "email", { labels: { placeholder: "name@example.com", button: "Sign me up" } }, "done"),
    ]),
    done: group([4, 0], "Signed up", [saysThen("last", "Done: {{Rhythm}}, about {{Topics}}.")]),
    last: group([5, 0], "One more click", [
      says("Look into your mail for a link to confirm {{Email}}. See you there!"),
    ]),
    no: group([3, 280], "No", [says("Then we won’t write. Our letters are open to read on our site at any time.")]),
  },
});
