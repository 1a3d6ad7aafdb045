import type { Catalogue } from "../catalogue.ts";
import { bubbles } from "./bubbles.ts";
import { choices } from "./choices.ts";
import { findings } from "./findings.ts";
import { flow } from "./flow.ts";
import { inputs } from "./inputs.ts";
import { integrations } from "./integrations.ts";
import { logic } from "./logic.ts";
import { models } from "./models.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { theme } from "./theme.ts";
import { choices as words } from "./words.ts";

export const portuguese: Catalogue = {
  texts: { ...bubbles, ...inputs, ...choices, ...logic, ...integrations, ...models, ...theme, ...settings, ...flow },
  choices: words,
  search,
  findings,
};
