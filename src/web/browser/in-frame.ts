// Reports missing sandbox permissions of this frame in the console, for the developer of the surrounding page.
if (areFormsBlocked()) {
  console.warn(
    'The sandbox of this frame lacks "allow-forms". The chat sends by its script, and visitors for whom that does not load cannot answer.',
  );
}
if (self.origin === "null") {
  console.warn(
    'The sandbox of this frame lacks "allow-same-origin". The browser remembers no visitor, and a bot that only some sites may use refuses to start.',
  );
}

/**
 * Whether the frame's sandbox blocks forms. No API lists the tokens of a sandbox, but submitting a blocked form
 * triggers no event.
 */
function areFormsBlocked(): boolean {
  const form = document.createElement("form");
  let isBlocked = true;
  form.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    isBlocked = false;
  });
  document.body.append(form);
  form.requestSubmit();
  form.remove();
  return isBlocked;
}
