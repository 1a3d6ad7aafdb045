import type { Act } from "./act.ts";
import { authorActs } from "./authors.ts";
import { operatorActs } from "./operator.ts";
import { peopleActs } from "./people.ts";
import { pipelineActs } from "./pipelines.ts";
import { placeActs } from "./places.ts";
import { visitorActs } from "./visitors.ts";

export const acts: readonly Act[] = [
  ...authorActs,
  ...placeActs,
  ...pipelineActs,
  ...visitorActs,
  ...peopleActs,
  ...operatorActs,
];
