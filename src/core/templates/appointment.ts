import { asks, group, offers, says, saysThen, template } from "./template.ts";

export const appointment = template({
  id: "appointment",
  name: "Appointment request",
  icon: "📅",
  about: "Takes the reason, a day and a time of day, and how to reach the person; you confirm.",
  variables: { reason: "Reason", day: "Day", time: "Time of day", name: "Name", phone: "Phone" },
  groups: {
    welcome: group([0, 0], "Welcome", [
      says("Hello! Let’s find you an appointment. It takes a minute."),
      says("What is it for?"),
      offers(
        { "A first meeting": undefined, "A follow-up": undefined, "Something urgent": "urgent" },
        { variableId: "reason", to: "day" },
      ),
    ]),
    urgent: group([1, 300], "Urgent", [
      says("Then it is better to call: we keep a slot free for urgent matters each morning."),
      offers({ "I’ll call": "call", "I’d still like a request": "day" }),
    ]),
    call: group([2, 380], "Call", [says("Please do: we are there from 8 to 12. Get well, or good luck!")]),
    day: group([1, 0], "Day and time", [
      says("Which day suits you best?"),
      asks("date input", "day", { labels: { button: "This day" } }),
      says("And what time of day?"),
      offers(
        { Morning: undefined, Afternoon: undefined, "Either is fine": undefined },
        { variableId: "time", to: "contact" },
      ),
    ]),
    contact: group([2, 0], "How to reach you", [
      says("Nearly done. What is your name?"),
      asks("text input", "name", { labels: { placeholder: "First and last name", button: "Continue" } }),
      says("And your phone number, in case that day is taken?"),
      asks("phone number input", "phone", { labels: { placeholder: "Your number", button: "Continue" } }, "check"),
    ]),
    check: group([3, 0], "Is that right?", [
      says("{{Reason}}, on {{Day}} ({{Time of day}}), for {{Name}}, {{Phone}}.", "Is that right?"),
      offers({ "Yes, send it": "done", "No, change the day": "day" }),
    ]),
    done: group([4, 0], "Sent", [saysThen("next", "Sent! It is a request so far.")]),
    next: group([5, 0], "What comes next", [
      says("We confirm it by phone or message within one working day. See you soon, {{Name}}!"),
    ]),
  },
});
