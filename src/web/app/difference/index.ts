export { DifferenceLine, DifferenceList, type DifferenceListProps, DifferenceSummary, useTold } from "./list.tsx";
export { lookOf, marksOf, type Signed, signOf } from "./marks.ts";
export { edgesGone, placesLeft, withRemoved } from "./shown.ts";
export { countSigns, countTold, isNothing } from "./summary.ts";
export { tell } from "./tell.ts";
export { eachTold, type Told } from "./told.ts";
