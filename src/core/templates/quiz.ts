import { branches, group, offers, says, saysThen, sets, template } from "./template.ts";

export const quiz = template({
  id: "quiz",
  name: "Quiz with score",
  icon: "🧠",
  about: "Three questions, an explanation after each, and a result that fits the score. Make the questions your own.",
  variables: { score: "Score" },
  groups: {
    start: group([0, 0], "Begin", [
      sets("score", "0"),
      says("Three questions about coffee. No clock, no tricks. ☕"),
      offers({ "Let’s go": "first" }),
    ]),
    first: group([1, 0], "Question 1", [
      says("1 of 3: What is coffee made from?"),
      offers({ "The bark of a tree": "firstWrong", "The seed of a fruit": "firstRight", "A root": "firstWrong" }),
    ]),
    firstRight: group([2, -160], "Right", [
      sets("score", "{{Score}} + 1"),
      saysThen("second", "Right! Coffee beans are the seeds of a red fruit, the coffee cherry."),
    ]),
    firstWrong: group([2, 120], "Not quite", [
      saysThen("second", "Not quite: beans are the seeds of a red fruit, the coffee cherry."),
    ]),
    second: group([3, 0], "Question 2", [
      says("2 of 3: Which country grows the most of it?"),
      offers({ Brazil: "secondRight", Italy: "secondWrong", Vietnam: "secondWrong" }),
    ]),
    secondRight: group([4, -160], "Right", [
      sets("score", "{{Score}} + 1"),
      saysThen("third", "Right! About a third of the world’s coffee comes from Brazil."),
    ]),
    secondWrong: group([4, 120], "Not quite", [
      saysThen("third", "Not quite: about a third of it comes from Brazil. Vietnam is second."),
    ]),
    third: group([5, 0], "Question 3", [
      says("3 of 3: Which has more caffeine?"),
      offers({ "One espresso": "thirdWrong", "One mug of filter coffee": "thirdRight" }),
    ]),
    thirdRight: group([6, -160], "Right", [
      sets("score", "{{Score}} + 1"),
      saysThen("result", "Right! An espresso is stronger, but a mug holds far more."),
    ]),
    thirdWrong: group([6, 120], "Not quite", [
      saysThen("result", "Not quite: an espresso is stronger, but a mug holds far more."),
    ]),
    result: group([7, 0], "Result", [
      says("You have {{Score}} of 3."),
      branches(
        "score",
        [
          { is: "Equal to", than: "3", to: "expert" },
          { is: "Greater than", than: "0", to: "friend" },
        ],
        "newcomer",
      ),
    ]),
    expert: group([8, -160], "All of them", [says("All of them! You could stand behind the counter. 🏆")]),
    friend: group([8, 40], "Some", [saysThen("again", "Well done: you clearly like your coffee.")]),
    newcomer: group([8, 240], "None", [saysThen("again", "A tea drinker, perhaps? Now you know three things more.")]),
    again: group([9, 80], "Once more?", [
      says("Once more?"),
      offers({ "Play again": "start", "That was enough": "bye" }),
    ]),
    bye: group([10, 80], "Goodbye", [says("Thanks for playing!")]),
  },
});
