/** Of events, and the parts of a flow that are no blocks. */
export const flow = {
  Start: "Start",
  "Where a chat begins.": "Wo ein Chat beginnt.",
  Command: "Befehl",
  "Runs when the page that shows the chat sends a command, whatever the chat waits for.":
    "Läuft, wenn die Seite, die den Chat zeigt, einen Befehl sendet, worauf der Chat auch wartet.",
  "`command`: the command that it listens for.": "`command`: Der Befehl, auf den es hört.",
  "Go back afterwards": "Danach zurückkehren",
  "`command`: whether the chat goes back to where it was, without a Return block.":
    "`command`: Ob der Chat ohne einen Block „Zurück“ dorthin zurückkehrt, wo er war.",
  Reply: "Antwort",
  "Runs with each reply that was accepted, before the flow goes on.":
    "Läuft bei jeder angenommenen Antwort, bevor der Flow weitergeht.",
  "Save reply in": "Antwort speichern in",
  "`reply`, `invalidReply`: id of the variable that the reply is written to.":
    "`reply`, `invalidReply`: Die Variable, in die die Antwort geschrieben wird.",
  "Save the group's title in": "Titel der Gruppe speichern in",
  "`reply`, `invalidReply`: id of the variable for the title of the input's group.":
    "`reply`, `invalidReply`: Die Variable für den Titel der Gruppe, in der gefragt wurde.",
  "Save the input's type in": "Art der Eingabe speichern in",
  "`reply`, `invalidReply`: id of the variable for the type of the input.":
    "`reply`, `invalidReply`: Die Variable für die Art der Eingabe.",
  "Invalid reply": "Abgelehnte Antwort",
  "Runs when a reply is refused, in place of asking again at once.":
    "Läuft, wenn eine Antwort abgelehnt wird, statt sofort noch einmal zu fragen.",
  "Its id, unique among the events of the flow.": "Seine Kennung, einmalig unter den Ereignissen des Flows.",
  "`start`, `command`, `reply` or `invalidReply`.": "`start`, `command`, `reply` oder `invalidReply`.",
  Place: "Ort",
  "Where an editor draws it.": "Wo ein Editor es zeichnet.",
  X: "X",
  "To the right.": "Nach rechts.",
  Y: "Y",
  "Downwards.": "Nach unten.",
  "Id of the edge that the chat takes then.": "Kennung der Kante, die der Chat dann nimmt.",
  "A variable of a flow.": "Eine Variable eines Flows.",
  "Its id, unique among the variables of the flow.": "Ihre Kennung, einmalig unter den Variablen des Flows.",
  "What texts insert it by: `{{name}}`.": "Womit Texte sie einfügen: `{{name}}`.",
  "Leave out of results": "Nicht in Ergebnissen",
  "Whether results leave it out.": "Ob Ergebnisse sie weglassen.",
  "Start value": "Anfangswert",
  "What it holds when a chat begins.": "Was sie enthält, wenn ein Chat beginnt.",
  "Blocks that follow each other, until one of them leads elsewhere.":
    "Blöcke, die aufeinander folgen, bis einer davon anderswohin führt.",
  "Its id, unique among the groups of the flow.": "Ihre Kennung, einmalig unter den Gruppen des Flows.",
  "What the editor shows above it.": "Was der Editor darüber zeigt.",
  Blocks: "Blöcke",
  "What happens in it, one after the other.": "Was darin geschieht, eins nach dem anderen.",
  "Outgoing edge": "Ausgehende Kante",
  "A way from a block, an item or an event to a group. One that leads nowhere is kept, and reported.":
    "Ein Weg von einem Block, einem Eintrag oder einem Ereignis zu einer Gruppe. Einer, der nirgendwohin führt, bleibt und wird gemeldet.",
  "Its id, unique among the edges of the flow.": "Ihre Kennung, einmalig unter den Kanten des Flows.",
  "Where it comes from.": "Woher sie kommt.",
  "Id of the block that it leaves.": "Kennung des Blocks, von dem sie ausgeht.",
  "Id of the item of that block, where it leaves one.": "Kennung des Eintrags dieses Blocks, wo sie von einem ausgeht.",
  "Id of the button of that card, where it leaves one.": "Kennung des Knopfs dieser Karte, wo sie von einem ausgeht.",
  "Id of the event that it leaves, in place of a block.":
    "Kennung des Ereignisses, von dem sie ausgeht, anstelle eines Blocks.",
  "Where it leads.": "Wohin sie führt.",
  "Id of the group that it leads to.": "Kennung der Gruppe, zu der sie führt.",
  "Id of the block of that group; absent: its first.": "Der Block dieser Gruppe; leer: ihr erster.",
  "When a chat begins": "Wenn ein Chat beginnt",
  "With each reply": "Bei jeder Antwort",
  "With each reply that is refused": "Bei jeder abgelehnten Antwort",
};
