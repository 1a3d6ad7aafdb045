import { appointment } from "./appointment.ts";
import { faq } from "./faq.ts";
import { feedback } from "./feedback.ts";
import { leadCapture } from "./lead-capture.ts";
import { newsletter } from "./newsletter.ts";
import { quiz } from "./quiz.ts";
import { supportTriage } from "./support-triage.ts";
import type { Template } from "./template.ts";

export type { Template } from "./template.ts";

/** The flows that Parley offers for new bots, in the order of the gallery. */
export const templates: readonly Template[] = [
  leadCapture,
  feedback,
  faq,
  appointment,
  quiz,
  newsletter,
  supportTriage,
];
