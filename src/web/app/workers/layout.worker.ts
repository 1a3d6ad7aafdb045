import { type Arrangement, layOut } from "../canvas-acts/tidy/layout.ts";

addEventListener("message", ({ data }: MessageEvent<Arrangement>) => postMessage(layOut(data)));
