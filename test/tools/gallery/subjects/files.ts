import type { Act, Subject } from "../cell.ts";
import { filledStates, input, says } from "./make.ts";

const choose = (...names: readonly string[]): readonly Act[] => [
  { choose: names, into: "input[type=file][name=file]" },
];

export const fileInputs: readonly Subject[] = [
  {
    name: "file input",
    sheet: "files",
    messages: [says("Send us a photo of the garden.")],
    input: input("file input", { sizeLimit: 10 }),
    acts: choose("meadow.png"),
    states: filledStates,
    isPaired: true,
  },
  {
    name: "file input, several",
    sheet: "files",
    messages: [says("Send us what you have.")],
    input: input("file input", {
      isMultipleAllowed: true,
      allowedFileTypes: { isEnabled: true, types: [".txt", "image/*"] },
    }),
    acts: choose("sea.png", "tomato.png", "a-rather-long-name-of-some-notes.txt"),
    states: ["idle", "filled", "busy", "answered"],
    isPaired: true,
  },
  {
    name: "file input, optional",
    sheet: "files",
    messages: [says("A photo, if you like.")],
    input: input("file input", { isRequired: false }),
    acts: choose("sea.png"),
    states: ["idle", "filled", "skipped"],
  },
  {
    name: "file input, of the wrong type",
    sheet: "files",
    messages: [says("Send us a photo of the garden.")],
    input: input("file input", { isMultipleAllowed: true, allowedFileTypes: { isEnabled: true, types: ["image/*"] } }),
    acts: choose("sea.png", "notes.txt"),
    states: ["filled"],
  },
  {
    name: "signature",
    sheet: "files",
    messages: [says("Please sign the contract.")],
    input: input("signature input"),
    acts: [{ type: "Ana Martínez", into: ".signature-name input" }],
    states: filledStates,
    isPaired: true,
  },
  {
    name: "signature, optional",
    sheet: "files",
    messages: [says("Sign, if you like.")],
    input: input("signature input", { isRequired: false }),
    acts: [{ type: "آنا مارتينيز", into: ".signature-name input" }],
    states: ["idle", "filled", "skipped"],
  },
];

export const composers: readonly Subject[] = [
  {
    name: "text with files",
    sheet: "composer",
    messages: [says("Say it, or attach something.")],
    input: input("text input", { attachments: { isEnabled: true }, audioClip: { isEnabled: true } }),
    acts: [...choose("sea.png", "notes.txt"), { type: "As I saw it this morning", into: "[name=text]" }],
    states: filledStates,
    isPaired: true,
  },
  {
    name: "text with files, long",
    sheet: "composer",
    messages: [says("Say it, or attach something.")],
    input: input("text input", { isLong: true, attachments: { isEnabled: true } }),
    acts: [{ type: "As I saw it this morning,\nbefore anybody else was there", into: "[name=text]" }],
    states: ["idle", "filled"],
  },
  {
    name: "text with voice",
    sheet: "composer",
    messages: [says("Say it, or say it aloud.")],
    input: input("text input", { audioClip: { isEnabled: true } }),
    acts: [{ type: "Typed after all", into: "[name=text]" }],
    states: ["idle", "filled"],
  },
  {
    name: "text with voice, recording",
    sheet: "composer",
    messages: [says("Say it, or say it aloud.")],
    input: input("text input", { audioClip: { isEnabled: true } }),
    acts: [{ press: ".record-button" }],
    states: ["filled"],
  },
  {
    name: "text with voice, recorded",
    sheet: "composer",
    messages: [says("Say it, or say it aloud.")],
    input: input("text input", { audioClip: { isEnabled: true } }),
    acts: [{ press: ".record-button" }, { press: ".record-button.is-recording" }, { press: ".recorded .player" }],
    states: ["filled"],
  },
];
