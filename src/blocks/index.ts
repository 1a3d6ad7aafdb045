import type { BlockDefinition } from "../interpreter/block.ts";
import { abTest } from "./ab-test.ts";
import { audio } from "./audio.ts";
import { cards } from "./cards.ts";
import { chatwoot } from "./chatwoot.ts";
import { choiceInput } from "./choice-input.ts";
import { code } from "./code.ts";
import { condition } from "./condition.ts";
import { dateInput } from "./date-input.ts";
import { email } from "./email.ts";
import { emailInput } from "./email-input.ts";
import { embed } from "./embed.ts";
import { fileInput } from "./file-input.ts";
import { googleAnalytics } from "./google-analytics.ts";
import { httpRequest } from "./http-request.ts";
import { image } from "./image.ts";
import { jump } from "./jump.ts";
import { listenWebhook } from "./listen-webhook.ts";
import { makeCom } from "./make-com.ts";
import { numberInput } from "./number-input.ts";
import { pabbly } from "./pabbly.ts";
import { paymentInput } from "./payment-input.ts";
import { phoneNumberInput } from "./phone-number-input.ts";
import { pictureChoiceInput } from "./picture-choice-input.ts";
import { pixel } from "./pixel.ts";
import { ratingInput } from "./rating-input.ts";
import { redirect } from "./redirect.ts";
import { comeBack } from "./return.ts";
import { setVariable } from "./set-variable.ts";
import { text } from "./text.ts";
import { textInput } from "./text-input.ts";
import { timeInput } from "./time-input.ts";
import { typebotLink } from "./typebot-link.ts";
import { urlInput } from "./url-input.ts";
import { video } from "./video.ts";
import { wait } from "./wait.ts";
import { zapier } from "./zapier.ts";

/** Every block type that is served, by its type. To add one: its file, and a line here. */
export const blocks: ReadonlyMap<string, BlockDefinition> = new Map(
  [
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
    setVariable,
    condition,
    redirect,
    code,
    wait,
    abTest,
    jump,
    comeBack,
    listenWebhook,
    typebotLink,
    httpRequest,
    zapier,
    makeCom,
    pabbly,
    email,
    googleAnalytics,
    pixel,
    chatwoot,
  ].map((block) => [block.type, block]),
);
