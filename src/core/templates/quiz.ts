import { branches, offers, says, saysThen, sets, template } from "./template.ts";

export const quiz = template({
  id: "quiz",
  name: "Quiz with score",
  icon: "🧠",
  about: "Three questions, an explanation after each, and a result that fits the score. Make the questions your own.",
  variables: { score: "Score" },
  groups: {
    start: {
      title: "Begin",
      at: [0, 0],
      parts: [
        sets("score", "0"),
        says("Three questions about coffee. No clock, no tricks. ☕"),
        offers({ "Let’s go": "first" }),
      ],
    },
    first: {
      title: "Question 1",
      at: [1, 0],
      parts: [
        says("1 of 3: What is coffee made from?"),
        offers({ "The bark of a tree": "firstWrong", "The seed of a fruit": "firstRight", "A root": "firstWrong" }),
      ],
    },
    firstRight: {
      title: "Right",
      at: [2, -160],
      parts: [
        sets("score", "{{Score}} + 1"),
        saysThen("second", "Right! Coffee beans are the seeds of a red fruit, the coffee cherry."),
      ],
    },
    firstWrong: {
      title: "Not quite",
      at: [2, 120],
      parts: [saysThen("second", "Not quite: beans are the seeds of a red fruit, the coffee cherry.")],
    },
    second: {
      title: "Question 2",
      at: [3, 0],
      parts: [
        says("2 of 3: Which country grows the most of it?"),
        offers({ Brazil: "secondRight", Italy: "secondWrong", Vietnam: "secondWrong" }),
      ],
    },
    secondRight: {
      title: "Right",
      at: [4, -160],
      parts: [
        sets("score", "{{Score}} + 1"),
        saysThen("third", "Right! About a third of the world’s coffee comes from Brazil."),
      ],
    },
    secondWrong: {
      title: "Not quite",
      at: [4, 120],
      parts: [saysThen("third", "Not quite: about a third of it comes from Brazil. Vietnam is second.")],
    },
    third: {
      title: "Question 3",
      at: [5, 0],
      parts: [
        says("3 of 3: Which has more caffeine?"),
        offers({ "One espresso": "thirdWrong", "One mug of filter coffee": "thirdRight" }),
      ],
    },
    thirdRight: {
      title: "Right",
      at: [6, -160],
      parts: [
        sets("score", "{{Score}} + 1"),
        saysThen("result", "Right! An espresso is stronger, but a mug holds far more."),
      ],
    },
    thirdWrong: {
      title: "Not quite",
      at: [6, 120],
      parts: [saysThen("result", "Not quite: an espresso is stronger, but a mug holds far more.")],
    },
    result: {
      title: "Result",
      at: [7, 0],
      parts: [
        says("You have {{Score}} of 3."),
        branches(
          "score",
          [
            { is: "Equal to", than: "3", to: "expert" },
            { is: "Greater than", than: "0", to: "friend" },
          ],
          "newcomer",
        ),
      ],
    },
    expert: {
      title: "All of them",
      at: [8, -160],
      parts: [says("All of them! You could stand behind the counter. 🏆")],
    },
    friend: { title: "Some", at: [8, 40], parts: [saysThen("again", "Well done: you clearly like your coffee.")] },
    newcomer: {
      title: "None",
      at: [8, 240],
      parts: [saysThen("again", "A tea drinker, perhaps? Now you know three things more.")],
    },
    again: {
      title: "Once more?",
      at: [9, 80],
      parts: [says("Once more?"), offers({ "Play again": "start", "That was enough": "bye" })],
    },
    bye: { title: "Goodbye", at: [10, 80], parts: [says("Thanks for playing!")] },
  },
});
