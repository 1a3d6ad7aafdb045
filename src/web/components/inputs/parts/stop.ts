import { type ComponentChildren, createContext } from "preact";

/** The button that stops the answer which is being written, for the row of a field that is filled in meanwhile. */
export const StopContext = createContext<ComponentChildren>(undefined);
