import { area, say } from "./language.ts";

/** The words of the screen that erases people. */
export const erasureWords = area("erasures", {
  title: "Erased people",
  text: "Erase everything that one person has said to the bots of this workspace, and keep a receipt.",
  erasePerson: "Erase a person",
  none: "Nobody erased yet",
  noneText: "Every erasure leaves a receipt here. It has numbers and no personal data.",
  when: "When",
  results: "Results",
  outcome: "Outcome",
  erased: "Erased",
  nothingFound: "Nothing found",
  unfinished: "Not finished",
  exact: "exact spelling",
  anySpelling: "any spelling",
  findText: "First Parley counts. You see what it found before anything is erased.",
  variable: "Variable",
  variableHelp: "The name of the variable that has the person’s address, number or name, such as Email.",
  value: "Value",
  valueHelp: "The whole value, such as ada@example.com or +49 170 1234567.",
  isFolded: "In any spelling",
  isFoldedHelp:
    "Ignores upper and lower case and spaces. Finds a phone number with + or 00 however it is written. Parley can’t know the country of other numbers.",
  count: "Count",
  foundTitle: (count: number) => say({ one: "Erase 1 result?", other: "Erase {count, number} results?" }, { count }),
  foundText: (variable: string, bots: number) =>
    say(
      {
        by: "bots",
        one: "In 1 bot, the variable {variable} has this value. Answers, chats, logs and files go at once. This cannot be undone.",
        other:
          "In {bots, number} bots, the variable {variable} has this value. Answers, chats, logs and files go at once. This cannot be undone.",
      },
      { variable, bots },
    ),
  moreThanCounted: "There may be more than Parley could count in a minute.",
  countedAsOf: (time: string) => say("Parley still reads the latest answers: the numbers are as of {time}.", { time }),
  ofBot: (name: string, count: number) =>
    say({ by: "count", one: "{name}: 1 result", other: "{name}: {count, number} results" }, { name, count }),
  onlyInAnswers: (count: number) =>
    say(
      {
        one: "1 result has it in answers alone, such as one that its visitor took back.",
        other: "{count, number} results have it in answers alone, such as ones that their visitors took back.",
      },
      { count },
    ),
  variables: "Variables that are meant",
  variablesText: "With all names that they have and had in versions.",
  spellings: "As spelled in the results",
  exports: "Exports that may hold the person",
  exportsText: "Parley removes these files. Delete the copies that people have downloaded.",
  eraseNow: "Erase",
  noneTitle: "Nothing found",
  noneFound: (variable: string, value: string) =>
    say("No result of this workspace has “{value}” in the variable {variable}.", { variable, value }),
  noneHints:
    "Try another variable, another address, or a phone number without its country code. Parley does not look into texts that no variable holds.",
  keepReceipt: "Keep a receipt of 0 results",
  doneTitle: (count: number) => say({ one: "1 result erased", other: "{count, number} results erased" }, { count }),
  doneText: "The receipt is in the list.",
  unfinishedText: "There is more than one request can erase. Continue until nothing is left.",
  goOn: "Continue",
});
