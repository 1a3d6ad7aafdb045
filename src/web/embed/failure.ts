import { make } from "../browser/elements.ts";

/** Shows that the chat's script could not be loaded, with a retry button. */
export function showFailure(place: HTMLElement, tryAgain: () => void): void {
  const failure = make("div", "failure");
  const sentence = make("p", "failure-sentence");
  const button = make("button", "failure-button");
  failure.setAttribute("role", "alert");
  sentence.textContent = "The chat could not be loaded. Please check your internet connection.";
  button.type = "button";
  button.textContent = "Try again";
  button.addEventListener("click", () => {
    place.replaceChildren();
    tryAgain();
  });
  failure.append(sentence, button);
  place.replaceChildren(failure);
}
