export { DifferenceList, type DifferenceListProps, useTold } from "./list.tsx";
export { marksOf, withRemoved } from "./marks.ts";
export { countTold, isNothing } from "./summary.ts";
export { tell } from "./tell.ts";
export type { Told } from "./told.ts";
