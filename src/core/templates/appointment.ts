import { asks, offers, says, saysThen, template } from "./template.ts";

export const appointment = template({
  id: "appointment",
  name: "Appointment request",
  icon: "📅",
  about: "Takes the reason, a day and a time of day, and how to reach the person; you confirm.",
  variables: { reason: "Reason", day: "Day", time: "Time of day", name: "Name", phone: "Phone" },
  groups: {
    welcome: {
      title: "Welcome",
      at: [0, 0],
      parts: [
        says("Hello! Let’s find you an appointment. It takes a minute."),
        says("What is it for?"),
        offers(
          { "A first meeting": undefined, "A follow-up": undefined, "Something urgent": "urgent" },
          { variableId: "reason", to: "day" },
        ),
      ],
    },
    urgent: {
      title: "Urgent",
      at: [1, 300],
      parts: [
        says("Then it is better to call: we keep a slot free for urgent matters each morning."),
        offers({ "I’ll call": "call", "I’d still like a request": "day" }),
      ],
    },
    call: {
      title: "Call",
      at: [2, 380],
      parts: [says("Please do: we are there from 8 to 12. Get well, or good luck!")],
    },
    day: {
      title: "Day and time",
      at: [1, 0],
      parts: [
        says("Which day suits you best?"),
        asks("date input", "day", { labels: { button: "This day" } }),
        says("And what time of day?"),
        offers(
          { Morning: undefined, Afternoon: undefined, "Either is fine": undefined },
          { variableId: "time", to: "contact" },
        ),
      ],
    },
    contact: {
      title: "How to reach you",
      at: [2, 0],
      parts: [
        says("Nearly done. What is your name?"),
        asks("text input", "name", { labels: { placeholder: "First and last name", button: "Continue" } }),
        says("And your phone number, in case that day is taken?"),
        asks("phone number input", "phone", { labels: { placeholder: "Your number", button: "Continue" } }, "check"),
      ],
    },
    check: {
      title: "Is that right?",
      at: [3, 0],
      parts: [
        says("{{Reason}}, on {{Day}} ({{Time of day}}), for {{Name}}, {{Phone}}.", "Is that right?"),
        offers({ "Yes, send it": "done", "No, change the day": "day" }),
      ],
    },
    done: { title: "Sent", at: [4, 0], parts: [saysThen("next", "Sent! It is a request so far.")] },
    next: {
      title: "What comes next",
      at: [5, 0],
      parts: [says("We confirm it by phone or message within one working day. See you soon, {{Name}}!")],
    },
  },
});
