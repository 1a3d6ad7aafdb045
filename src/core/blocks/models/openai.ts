import { nameOfProvider } from "../../credentials/providers.ts";
import { askAssistant } from "./ask-assistant.ts";
import { askModel } from "./ask-model.ts";
import { chatCompletion } from "./chat-completion.ts";
import { createSpeech } from "./create-speech.ts";
import { createTranscription } from "./create-transcription.ts";
import { generateVariables } from "./generate-variables.ts";
import { defineModelBlock } from "./model-block.ts";

export const openai = defineModelBlock({
  type: "openai",
  summary:
    "Asks a language model of OpenAI, or of any server with the same API. Also converts text to speech and recordings to text.",
  editor: {
    name: nameOfProvider("openai"),
    icon: "bot",
    words: ["gpt", "chatgpt", "ai", "llm", "model", "speech", "transcription", "chat"],
  },
  actions: [chatCompletion, askModel, generateVariables, createSpeech, createTranscription, askAssistant],
});
