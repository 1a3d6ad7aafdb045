import type { Subject } from "../cell.ts";
import { input, picture, says } from "./make.ts";

const name = { messages: [says("What is your name?")], input: input("text input") };
const answered = { ...name, acts: [{ type: "Ana", into: "[name=text]" }] };

export const chats: readonly Subject[] = [
  {
    name: "payment",
    sheet: "chat",
    messages: [says("Here is what you owe.")],
    input: input(
      "payment input",
      { amount: "12.50", currency: "EUR", additionalInformation: { description: "Two hundred grams of green tea" } },
      { runtimeOptions: { amountLabel: "€12.50" } },
    ),
    actsSend: false,
    states: ["idle", "focus", "refused", "busy", "answered"],
    isPaired: true,
  },
  {
    name: "a payment that cannot be taken",
    sheet: "chat",
    messages: [
      says("Here is what you owe."),
      { ...says("A payment is due here."), notice: { code: "payment.unavailable", amount: 12.5, currency: "EUR" } },
    ],
    input: input("text input"),
    states: ["idle"],
  },
  {
    ...name,
    name: "times, and an answer that was stopped",
    sheet: "chat",
    messages: [
      { ...says("The first plan is for one person. The second one"), isAnswer: true, unfinished: "stopped" },
      says("Anything else?"),
    ],
    settings: {
      general: { isGoBackEnabled: true },
      answers: { canCopy: true, canTryAgain: true, isRated: true, areTimesShown: true },
    },
    step: { canTryAgain: true },
    acts: [{ type: "Ana", into: "[name=text]" }],
    states: ["idle", "answered"],
    isPaired: true,
  },
  { ...answered, name: "a chat that ends", sheet: "chat", states: ["ended"], isPaired: true },
  {
    ...answered,
    name: "a chat that has ended, come back to",
    sheet: "chat",
    settings: { general: { rememberUser: { isEnabled: true } } },
    isRemembered: true,
    states: ["ended"],
  },
  { ...answered, name: "a chat that was quiet for too long", sheet: "chat", service: "expired", states: ["ended"] },
  { ...answered, name: "a service with too much to do", sheet: "chat", service: "overloaded", states: ["offline"] },
  {
    ...answered,
    name: "avatars, progress and badge",
    sheet: "chat",
    theme: {
      general: { progressBar: { isEnabled: true } },
      chat: { hostAvatar: { isEnabled: true, url: picture("meadow") }, guestAvatar: { isEnabled: true } },
    },
    settings: { general: { isBrandingEnabled: true } },
    states: ["idle", "answered"],
    isPaired: true,
  },
];
