import { drawnPairs } from "../../src/web/preview/drawn-colors.ts";

Reflect.set(window, "drawnPairs", drawnPairs);
