import { asks, offers, says, saysThen, template } from "./template.ts";

export const newsletter = template({
  id: "newsletter",
  name: "Newsletter sign-up",
  icon: "✉️",
  about: "Says what people get and how often, lets them choose topics, and asks for consent before the address.",
  variables: { topics: "Topics", rhythm: "Rhythm", email: "Email" },
  groups: {
    welcome: {
      title: "What you get",
      at: [0, 0],
      parts: [
        says("One short letter, written by people, with nothing to sell in it. 📬"),
        says("What would you like to read about? Choose as many as you like."),
        {
          type: "choice input",
          options: { variableId: "topics", isMultipleChoice: true, buttonLabel: "These" },
          items: [{ content: "New things we made" }, { content: "How we work" }, { content: "Events" }],
          to: "rhythm",
        },
      ],
    },
    rhythm: {
      title: "How often",
      at: [1, 0],
      parts: [
        says("And how often?"),
        offers({ "Each week": undefined, "Once a month": undefined }, { variableId: "rhythm", to: "consent" }),
      ],
    },
    consent: {
      title: "Consent",
      at: [2, 0],
      parts: [
        says("We use your address for this letter alone, and each one has a link to leave. Is that all right?"),
        offers({ "Yes, that’s fine": "address", "No, thank you": "no" }),
      ],
    },
    address: {
      title: "Address",
      at: [3, 0],
      parts: [
        says("Lovely. Where shall it go?"),
        asks("email input", "email", { labels: { placeholder: "name@example.com", button: "Sign me up" } }, "done"),
      ],
    },
    done: { title: "Signed up", at: [4, 0], parts: [saysThen("last", "Done: {{Rhythm}}, about {{Topics}}.")] },
    last: {
      title: "One more click",
      at: [5, 0],
      parts: [says("Look into your mail for a link to confirm {{Email}}. See you there!")],
    },
    no: {
      title: "No",
      at: [3, 280],
      parts: [says("Then we won’t write. Our letters are open to read on our site at any time.")],
    },
  },
});
