import { defaultSystemMessages } from "../../flow/schemas/defaults.ts";
import type { PageSettings } from "./settings.ts";

/** All words of the page itself, in English. Other languages have a file each in `languages/`. */
export const english = {
  ...defaultSystemMessages,
  /** The language's tag: numbers, dates and names of countries follow it. */
  language: "en",
  chat: "Chat",
  conversation: "Conversation",
  progress: "Progress",
  send: "Send",
  continue: "Continue",
  typing: "Typing…",
  sending: "Sending…",
  search: "Search",
  noneFound: "Nothing matches.",
  found: "{count} to choose from",
  chooseOne: "Choose at least one.",
  required: "Please fill this in.",
  typeAnswer: "Type your answer...",
  typeEmail: "Type your email...",
  typeUrl: "Type a URL...",
  typeNumber: "Type a number...",
  typePhone: "Type your phone number...",
  filterOptions: "Filter the options...",
  invalidEmail: "Please enter an e-mail address, such as name@example.com.",
  emailRefused: "This email doesn't seem to be valid. Can you type it again?",
  invalidUrl: "Please enter an address, such as https://example.com.",
  invalidNumber: "Please enter a number.",
  numberTooSmall: "Please enter {limit} or more.",
  numberTooLarge: "Please enter {limit} or less.",
  numberBetween: "Please enter a number from {from} to {to}.",
  date: "Date",
  dateFrom: "From:",
  dateTo: "To:",
  bothDates: "Please choose both dates.",
  dateOrder: "The second date is before the first one.",
  dateTooEarly: "Please choose {limit} or later.",
  dateTooLate: "Please choose {limit} or earlier.",
  time: "Time",
  country: "Country",
  otherCountry: "Country of the number",
  invalidPhone: "Please enter a phone number.",
  phoneCountry: "Please choose the country, or begin with + and its code.",
  rating: "Rating",
  ratingOf: "{rating} out of {most}",
  chooseRating: "Please choose one.",
  choose: "Choose",
  previous: "Previous",
  next: "Next",
  payElsewhere:
    "A payment is due here, which this page cannot take. Ask whoever sent you here how to pay, then continue.",
  payAmountElsewhere:
    "A payment of {amount} is due here, which this page cannot take. Ask whoever sent you here how to pay, then continue.",
  payFailed: "Payment failed. Please, try again.",
  chooseFile: "Choose a file",
  chooseFiles: "Choose files",
  dropHere: "or drop it here",
  attach: "Attach files",
  upload: "Upload",
  skip: "Skip",
  clear: "Clear",
  remove: "Remove {name}",
  cancel: "Cancel",
  close: "Close",
  dismiss: "Dismiss",
  uploading: "Uploading {name}…",
  fileLimit: "Up to {limit} MB",
  fileRequired: "Please choose a file.",
  fileTypeWrong: "{name} cannot be taken: its type is not allowed here.",
  fileTypeRefused: "This type of file is not allowed here.",
  fileTooLarge: "This file is larger than allowed here.",
  fileTooMany: "This chat has taken as many files as one chat may.",
  fileEmpty: "This file is empty.",
  formTooLargeTitle: "This is too much at once",
  formTooLargeMessage: "Go back, and send smaller files or fewer of them.",
  record: "Record a voice message",
  stopRecording: "Stop recording",
  recordingNow: "Recording…",
  noMicrophone: "The microphone cannot be used here.",
  sendByKeys: "Press Ctrl and Enter to send.",
  picture: "Picture",
  video: "Video",
  embedded: "Embedded page",
  opensNewTab: "opens in a new tab",
  file: "File",
  recording: "Recording",
  offline: "You are offline. Your answer is sent as soon as you are back.",
  retrying: "That did not get through. Trying again…",
  tryAgain: "Try again",
  failed: "Something went wrong. Please try again.",
  busy: "Too much is going on here at the moment. Trying again…",
  over: "This chat has ended.",
  expired: "This chat has been quiet for too long, so it has ended.",
  startAgain: "Start again",
  alreadyAnswered: "This was answered already. Here is how the chat stands.",
  moved: "The conversation has moved on. Please answer here.",
  waiting: "One moment, please…",
  waitingOutside: "Waiting for an answer from outside…",
  scriptsSkipped: "Some things here need JavaScript and were left out.",
  openLink: "Continue to {host}",
  leavingFor: "You are leaving for {host}.",
  stay: "Stay here",
  notAllowedHere: "This chat may not be used on this site.",
  notFoundTitle: "There is no bot here",
  notFoundMessage: "The address may be misspelt, or the bot was taken down.",
  unreachableTitle: "This bot cannot be reached right now",
  unreachableMessage: "Please try again in a moment.",
  madeWith: "Made with Parley",
} as const satisfies Record<string, string>;

export type Words = Readonly<Record<keyof typeof english, string>>;

/** The words for a bot: its author's messages take precedence over the language's. */
export function wordsOf(
  { systemMessages }: Pick<PageSettings, "systemMessages">,
  language: Partial<Words> = {},
): Words {
  const own = Object.entries(systemMessages).filter(
    ([name, text]) => Object.hasOwn(defaultSystemMessages, name) && text !== "",
  );
  return { ...english, ...language, ...Object.fromEntries(own) };
}

/** Formats a number for the page's language. */
export function numberIn({ language }: Words, number: number): string {
  return new Intl.NumberFormat(language).format(number);
}

/** Fills placeholders in a sentence: `{count}` from `{ count: 3 }`. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
