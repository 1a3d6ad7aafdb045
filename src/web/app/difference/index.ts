export { DifferenceLine, DifferenceList, type DifferenceListProps, DifferenceSummary, useDifference } from "./list.tsx";
export { lookOf, marksOf, type Signed, signOf } from "./marks.ts";
export { edgesGone, placesLeft, withRemoved } from "./shown.ts";
export { countChanges, countSigns, isNothing } from "./summary.ts";
export { eachThing, type ThingChange } from "./thing-change.ts";
