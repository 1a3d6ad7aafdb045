import { createRegistry } from "../interpreter/program/block.ts";
import { audio } from "./bubbles/audio.ts";
import { embed } from "./bubbles/embed.ts";
import { image } from "./bubbles/image.ts";
import { text } from "./bubbles/text.ts";
import { video } from "./bubbles/video.ts";
import { gmail } from "./google/gmail.ts";
import { googleSheets } from "./google/google-sheets.ts";
import { addressInput } from "./inputs/address/address-input.ts";
import { cards } from "./inputs/cards.ts";
import { choiceInput } from "./inputs/choice-input.ts";
import { dateInput } from "./inputs/date-input.ts";
import { emailInput } from "./inputs/email-input.ts";
import { fileInput } from "./inputs/files/file-input.ts";
import { signatureInput } from "./inputs/files/signature-input.ts";
import { matrixInput } from "./inputs/matrix-input.ts";
import { numberInput } from "./inputs/number-input.ts";
import { paymentInput } from "./inputs/payment-input.ts";
import { phoneNumberInput } from "./inputs/phone-number-input.ts";
import { pictureChoiceInput } from "./inputs/picture-choice-input.ts";
import { rankingInput } from "./inputs/ranking-input.ts";
import { ratingInput } from "./inputs/rating-input.ts";
import { textInput } from "./inputs/text-input.ts";
import { timeInput } from "./inputs/time-input.ts";
import { urlInput } from "./inputs/url-input.ts";
import { chatwoot } from "./integrations/chatwoot.ts";
import { email } from "./integrations/email.ts";
import { googleAnalytics } from "./integrations/google-analytics.ts";
import { httpRequest } from "./integrations/http-request.ts";
import { makeCom } from "./integrations/make-com.ts";
import { pabbly } from "./integrations/pabbly.ts";
import { pixel } from "./integrations/pixel.ts";
import { zapier } from "./integrations/zapier.ts";
import { zendesk } from "./integrations/zendesk.ts";
import { abTest } from "./logic/ab-test.ts";
import { code } from "./logic/code.ts";
import { condition } from "./logic/condition.ts";
import { jump } from "./logic/jump.ts";
import { listenWebhook } from "./logic/listen-webhook.ts";
import { redirect } from "./logic/redirect.ts";
import { returnBlock } from "./logic/return.ts";
import { setVariable } from "./logic/set-variable.ts";
import { typebotLink } from "./logic/typebot-link.ts";
import { wait } from "./logic/wait.ts";
import { anthropic } from "./models/anthropic.ts";
import { deepseek } from "./models/deepseek.ts";
import { difyAi } from "./models/dify-ai.ts";
import { elevenlabs } from "./models/elevenlabs.ts";
import { groq } from "./models/groq.ts";
import { legacyOpenai } from "./models/legacy-openai.ts";
import { mistral } from "./models/mistral.ts";
import { openRouter } from "./models/open-router.ts";
import { openai } from "./models/openai.ts";
import { perplexity } from "./models/perplexity.ts";
import { togetherAi } from "./models/together-ai.ts";
import { blink } from "./services/blink.ts";
import { calCom } from "./services/cal-com.ts";
import { chatNode } from "./services/chat-node.ts";
import { nocodb } from "./services/nocodb.ts";
import { posthog } from "./services/posthog.ts";
import { qrCode } from "./services/qr-code.ts";
import { segment } from "./services/segment.ts";

/** All block types that the service supports. To add a block type, create its file and add a line to this list. */
export const blocks = createRegistry([
  text,
  image,
  video,
  embed,
  audio,
  textInput,
  numberInput,
  emailInput,
  urlInput,
  dateInput,
  timeInput,
  phoneNumberInput,
  choiceInput,
  pictureChoiceInput,
  paymentInput,
  ratingInput,
  fileInput,
  cards,
  rankingInput,
  matrixInput,
  signatureInput,
  addressInput,
  setVariable,
  condition,
  redirect,
  code,
  wait,
  abTest,
  jump,
  returnBlock,
  listenWebhook,
  typebotLink,
  httpRequest,
  zapier,
  makeCom,
  pabbly,
  email,
  gmail,
  googleSheets,
  googleAnalytics,
  pixel,
  chatwoot,
  chatNode,
  nocodb,
  qrCode,
  calCom,
  zendesk,
  segment,
  posthog,
  blink,
  openai,
  anthropic,
  mistral,
  groq,
  deepseek,
  perplexity,
  openRouter,
  togetherAi,
  difyAi,
  elevenlabs,
  legacyOpenai,
]);
