import { useState } from "preact/hooks";
import { type EventType, eventTypes } from "../../../../events.ts";
import { call } from "../../api/index.ts";
import { FormDialog } from "../../page-parts/form-dialog.tsx";
import { FieldProblem, useTexts } from "../../page-parts/submit.ts";
import { Checkbox, TextField, toast } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import { workspaceWords } from "../../words/workspace.ts";
import type { Endpoint } from "./endpoint.ts";

type EndpointDialogProps = {
  readonly workspaceId: string;
  /** The one that is changed; undefined for a new one. */
  readonly endpoint: Endpoint | undefined;
  /** With the secret of one that was made, which is shown once. */
  readonly onSaved: (secret: string | undefined) => void;
  readonly onClose: () => void;
};

/** Where events go, and which. */
export function EndpointDialog({ workspaceId, endpoint, onSaved, onClose }: EndpointDialogProps) {
  const words = useWords(workspaceWords);
  const shared = useWords();
  const { texts, field } = useTexts({ url: endpoint?.url ?? "", description: endpoint?.description ?? "" });
  const [chosen, setChosen] = useState<ReadonlySet<EventType>>(new Set(endpoint?.eventTypes ?? eventTypes));
  const path = { workspaceId };
  const save = async () => {
    if (chosen.size === 0) throw new FieldProblem("eventTypes", words.oneEvent);
    const body = {
      url: texts.url.trim(),
      description: texts.description.trim() || null,
      eventTypes: eventTypes.filter((type) => chosen.has(type)),
    };
    if (endpoint) {
      const name = "PATCH /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId";
      await call(name, { path: { ...path, endpointId: endpoint.id }, body });
      toast(shared.saved);
      onSaved(undefined);
    } else {
      const made = await call("POST /api/v1/workspaces/:workspaceId/event-endpoints", { path, body });
      onSaved(made.eventEndpoint.secret);
    }
  };
  return (
    <FormDialog
      title={endpoint ? words.editEndpoint : shared.newEndpoint}
      action={endpoint ? shared.save : shared.create}
      required={{ url: texts.url }}
      send={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextField
            label={shared.endpointUrl}
            type="url"
            {...field("url", errorOf)}
            placeholder="https://"
            attributes={{ autofocus: true, autocomplete: "off" }}
          />
          <TextField label={shared.endpointDescription} aside={shared.optional} {...field("description", errorOf)} />
          <fieldset class="app-choices">
            <legend>{words.whichEvents}</legend>
            <Checkbox
              label={words.allEvents}
              isChecked={chosen.size === eventTypes.length}
              isMixed={chosen.size > 0 && chosen.size < eventTypes.length}
              onChange={(isChosen) => setChosen(new Set(isChosen ? eventTypes : []))}
            />
            <div class="app-choices-nested">
              {eventTypes.map((type) => (
                <Checkbox
                  key={type}
                  label={words.eventTypes[type]}
                  isChecked={chosen.has(type)}
                  onChange={(isChosen) =>
                    setChosen(new Set(eventTypes.filter((each) => (each === type ? isChosen : chosen.has(each)))))
                  }
                />
              ))}
            </div>
            <p class="app-field-error" role="alert">
              {errorOf("eventTypes")}
            </p>
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}
