import { asks, branches, group, offers, says, saysThen, sets, template } from "./template.ts";

export const supportTriage = template({
  id: "support-triage",
  name: "Support triage",
  icon: "🛟",
  about: "Tries the two usual remedies first, then takes a report that your team can act on, with how urgent it is.",
  variables: { topic: "Topic", urgency: "Urgency", steps: "What happened", email: "Email", priority: "Priority" },
  groups: {
    welcome: group([0, 0], "Welcome", [
      says("Sorry that something is in your way. Let’s sort it out."),
      says("What is it about?"),
      offers(
        { "I cannot sign in": "signIn", "Something does not work": "broken", "A bill": "report" },
        { variableId: "topic" },
      ),
    ]),
    signIn: group([1, -200], "Sign-in", [
      says(
        "Most often this helps: ask for a new password on the sign-in page, and look into the spam folder for our mail.",
      ),
      offers({ "That helped": "solved", "It did not": "report" }),
    ]),
    broken: group([1, 80], "Something broken", [
      says("Please reload the page once, and try it in another browser if you have one. Is it still there?"),
      offers({ "It is gone": "solved", "Still there": "report" }),
    ]),
    report: group([2, 0], "Report", [
      says("Thank you for trying. Tell us what you did, and what happened then."),
      asks("text input", "steps", {
        isLong: true,
        labels: { placeholder: "I opened …, pressed …, and then …", button: "Continue" },
      }),
      says("How much does it hold you up?"),
      offers(
        { "I can’t work at all": undefined, "It is in my way": undefined, "It can wait": undefined },
        { variableId: "urgency", to: "sort" },
      ),
    ]),
    sort: group([3, 0], "How urgent", [
      branches("urgency", [{ is: "Equal to", than: "I can’t work at all", to: "urgent" }], "normal"),
    ]),
    urgent: group([4, -160], "Urgent", [
      sets("priority", "High"),
      saysThen("contact", "Understood: this goes to the top of the list."),
    ]),
    normal: group([4, 100], "Normal", [sets("priority", "Normal"), saysThen("contact", "Understood.")]),
    contact: group([5, 0], "Contact", [
      says("Where do we reach you?"),
      asks("email input", "email", { labels: { placeholder: "name@example.com", button: "Send report" } }, "done"),
    ]),
    done: group([6, 0], "Sent", [
      says("Your report is with us (priority: {{Priority}}). We write to {{Email}} as soon as we know more."),
    ]),
    solved: group([2, -320], "Solved", [says("Good! That is the best kind of report. Have a nice day.")]),
  },
});
