import { moveClock } from "../../../support/moved-clock.ts";
import { between, type Fault } from "../field.ts";

const steps = [
  { name: "10 minutes", seconds: 600 },
  { name: "an hour", seconds: 3_600 },
  { name: "a day", seconds: 86_400 },
];

export const clockFaults: readonly Fault[] = steps.map(({ name, seconds }) => ({
  name: `the clock steps back ${name}`,
  movesClock: true,
  async strike({ sql, random, lastsMs, turnstile }) {
    await moveClock(sql, -seconds);
    await Bun.sleep(between(random, lastsMs.least, lastsMs.most));
    // The step forward makes the keys of recent requests expire, so no visitor may be about to repeat a request.
    await turnstile.whileEmpty(() => moveClock(sql, 0));
  },
}));
