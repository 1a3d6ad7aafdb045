// Reports in the console, for the developer of the page around this frame, which sandbox permissions are missing that
// visitors may need.
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

/** No API lists the tokens of a sandbox. A forbidden form does not even begin to be submitted. */
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
