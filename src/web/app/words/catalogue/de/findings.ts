/** The linter's findings, and how to mend them. `{1}` is the name of the part that a finding is about. */
export const findings = {
  "Do what the message says, or have the block ignore this rule.":
    "Tun Sie, was die Meldung sagt, oder lassen Sie den Block diese Regel übergehen.",
  "This condition never holds: {1}.": "Diese Bedingung gilt nie: {1}.",
  "it compares nothing": "Sie vergleicht nichts",
  "a comparison has no variable or no operator": "Einem Vergleich fehlt die Variable oder die Art des Vergleichs",
  "two of its comparisons exclude each other": "Zwei ihrer Vergleiche schließen einander aus",
  "Complete the comparison, or remove the condition.":
    "Vervollständigen Sie den Vergleich, oder entfernen Sie die Bedingung.",
  "This workspace does not have these credentials.": "Dieser Arbeitsbereich hat diese Zugangsdaten nicht.",
  'These credentials are of the type "{1}": this block needs some of "{2}".':
    "Diese Zugangsdaten sind vom Typ „{1}“: Dieser Block braucht welche vom Typ „{2}“.",
  "Choose credentials of this workspace.": "Wählen Sie Zugangsdaten dieses Arbeitsbereichs.",
  "Where this condition holds, the chat ends without a word.": "Wo diese Bedingung gilt, endet der Chat ohne ein Wort.",
  'Whoever chooses "{1}" reads nothing more: the chat ends.': "Wer „{1}“ wählt, liest nichts mehr: Der Chat endet.",
  "Whoever chooses {1} reads nothing more: the chat ends.": "Wer {1} wählt, liest nichts mehr: Der Chat endet.",
  "Lead this way to a group: say goodbye there, if the chat shall end.":
    "Führen Sie diesen Weg zu einer Gruppe: Verabschieden Sie sich dort, wenn der Chat enden soll.",
  "An earlier item of this block has the same id, and a reply by it means that one.":
    "Ein früherer Eintrag dieses Blocks hat dieselbe Kennung, und eine Antwort damit meint jenen.",
  "An item of another block has the same id.": "Ein Eintrag eines anderen Blocks hat dieselbe Kennung.",
  "Give the item an id of its own.": "Geben Sie dem Eintrag eine eigene Kennung.",
  "There is no block in this bot.": "In diesem Bot ist kein Block.",
  "The start leads to no block, so chats begin with nothing.":
    "Der Start führt zu keinem Block: Chats beginnen mit nichts.",
  "Lead the start to a group that has blocks.": "Führen Sie den Start zu einer Gruppe mit Blöcken.",
  "This group is empty, so chats that come here end.": "Diese Gruppe ist leer: Chats, die hierher kommen, enden.",
  "This group is empty.": "Diese Gruppe ist leer.",
  "Add a block, or remove the group.": "Fügen Sie einen Block hinzu, oder entfernen Sie die Gruppe.",
  "For some texts this regular expression takes far too long, and does not match.":
    "Bei manchen Texten dauert dieser reguläre Ausdruck viel zu lange und passt nicht.",
  "Write the repetition once: `a+`.": "Schreiben Sie die Wiederholung nur einmal: `a+`.",
  "Who goes back undoes nothing: what integrations have sent or called since stays so, and they do it again on the way forward.":
    "Wer zurückgeht, macht nichts rückgängig: Was seither gesendet oder aufgerufen wurde, bleibt, und geschieht auf dem Weg nach vorn noch einmal.",
  "Make sure that what is sent twice does no harm, or switch `settings.general.isGoBackEnabled` off.":
    "Sorgen Sie dafür, dass doppelt Gesendetes nicht schadet, oder schalten Sie das Zurückgehen in den Einstellungen aus.",
  "From this block the flow comes back to it again and again, and never waits or ends.":
    "Von diesem Block kommt der Flow immer wieder zu ihm zurück, ohne zu warten oder zu enden.",
  "Lead a way out of the circle, or let a block in it wait for the visitor.":
    "Führen Sie einen Weg aus dem Kreis heraus, oder lassen Sie einen Block darin auf den Besucher warten.",
  "{1} on {2} has a contrast of {3}:1. {4} needs {5}:1 to be seen by all.":
    "{1} auf {2} hat einen Kontrast von {3}:1. {4} braucht {5}:1, damit alle es sehen.",
  "{1} on {2} has a contrast of {3}:1. {4} needs {5}:1 to be seen by all. Pages use {6} for it.":
    "{1} auf {2} hat einen Kontrast von {3}:1. {4} braucht {5}:1, damit alle es sehen. Seiten nehmen dafür {6}.",
  Text: "Text",
  "What marks a place": "Was eine Stelle kennzeichnet,",
  "What marks a chosen option": "Was eine gewählte Möglichkeit kennzeichnet,",
  "Choose a darker or a lighter colour.": "Wählen Sie eine dunklere oder eine hellere Farbe.",
  'The command "{1}" leads nowhere: whoever gives it gets an error.':
    "Der Befehl „{1}“ führt nirgendwohin: Wer ihn gibt, bekommt einen Fehler.",
  "This event leads nowhere, so it does nothing.": "Dieses Ereignis führt nirgendwohin und tut deshalb nichts.",
  "Lead the event to a group, or remove it.": "Führen Sie das Ereignis zu einer Gruppe, oder entfernen Sie es.",
  "There is no start event, so chats begin with nothing.": "Es gibt kein Startereignis: Chats beginnen mit nichts.",
  "Add a start event and lead it to the first group.":
    "Fügen Sie ein Startereignis hinzu, und führen Sie es zur ersten Gruppe.",
  '"{1}" is empty here: it is written only later, or on other ways.':
    "„{1}“ ist hier leer: Die Variable wird erst später oder auf anderen Wegen gesetzt.",
  "A bracket or a quote of this expression has no other one: it is a text.":
    "Einer Klammer oder einem Anführungszeichen fehlt das andere: Der Ausdruck ist ein Text.",
  'A value is missing beside "{1}": the expression is a text.':
    "Neben „{1}“ fehlt ein Wert: Der Ausdruck ist ein Text.",
  '"{1}" has no brackets around it, so it is no variable here: the expression is a text.':
    "Um „{1}“ stehen keine Klammern, also ist es hier keine Variable: Der Ausdruck ist ein Text.",
  '"{1}" is the name of nothing: the expression is a text.':
    "„{1}“ ist der Name von nichts: Der Ausdruck ist ein Text.",
  '"{1}" is mentioned within a text alone and has no value there: the expression is a text.':
    "„{1}“ steht nur in einem Text und hat dort keinen Wert: Der Ausdruck ist ein Text.",
  "Of values with commas between them only the last one counts.":
    "Von Werten mit Kommas dazwischen zählt nur der letzte.",
  "Complete the expression; variables have double brackets around their names.":
    "Vervollständigen Sie den Ausdruck; um die Namen von Variablen stehen doppelte Klammern.",
  "Join the values: put them into a list and call `join` on it.":
    "Verbinden Sie die Werte: Setzen Sie sie in eine Liste, und rufen Sie `join` auf.",
  "Write the variable before, or give it a value to begin with.":
    "Setzen Sie die Variable vorher, oder geben Sie ihr einen Anfangswert.",
  "This call is always refused: {1}.": "Dieser Aufruf wird immer abgelehnt: {1}.",
  this: "das",
  "this is not a valid URL": "Das ist keine gültige Adresse",
  "only http and https can be called": "Nur http und https können aufgerufen werden",
  "the URL names no host": "Die Adresse nennt keinen Host",
  "this host cannot be called": "Dieser Host kann nicht aufgerufen werden",
  "this address is not public": "Diese Adresse ist nicht öffentlich",
  "port {1} cannot be called": "Port {1} kann nicht aufgerufen werden",
  "this spelling of an IP address cannot be called": "Diese Schreibweise einer IP-Adresse kann nicht aufgerufen werden",
  "Call a public address, or ask the operator to allow the host (`OUTGOING_ALLOW`).":
    "Rufen Sie eine öffentliche Adresse auf, oder bitten Sie den Betreiber, den Host zu erlauben (`OUTGOING_ALLOW`).",
  "Wherever this condition holds, an earlier one holds too and is taken.":
    "Wo immer diese Bedingung gilt, gilt auch eine frühere und wird genommen.",
  "Put the narrower condition first, or remove it.":
    "Stellen Sie die engere Bedingung nach vorn, oder entfernen Sie sie.",
  "No variable keeps this answer, and nothing in the flow follows from it.":
    "Keine Variable behält diese Antwort, und im Flow folgt nichts daraus.",
  "Choose a variable for the answer, if anything shall follow from it.":
    "Wählen Sie eine Variable für die Antwort, wenn etwas daraus folgen soll.",
  'Blocks of type "{1}" are not run here: they are passed over.':
    "Blöcke vom Typ „{1}“ laufen hier nicht: Sie werden übergangen.",
  'Blocks of type "{1}" are passed over.': "Blöcke vom Typ „{1}“ werden übergangen.",
  "Replace the block, or remove it.": "Ersetzen oder entfernen Sie den Block.",
  "The bot that it links to is not in this workspace, or is not published.":
    "Der Bot, auf den er verweist, ist nicht in diesem Arbeitsbereich oder nicht veröffentlicht.",
  "Choose a bot of this workspace, and publish it.":
    "Wählen Sie einen Bot dieses Arbeitsbereichs, und veröffentlichen Sie ihn.",
  "Its outgoing edge does not exist.": "Die Linie, die von hier ausgeht, gibt es nicht.",
  "Draw the edge anew, or remove `outgoingEdgeId`.": "Ziehen Sie die Linie neu, oder entfernen Sie `outgoingEdgeId`.",
  "It jumps to a group that does not exist.": "Er springt zu einer Gruppe, die es nicht gibt.",
  "It jumps to a block that its group does not have.": "Er springt zu einem Block, den seine Gruppe nicht hat.",
  "It leads into a group that does not exist, so nothing of it runs.":
    "Er führt in eine Gruppe, die es nicht gibt: Nichts davon läuft.",
  "Choose a group that exists.": "Wählen Sie eine Gruppe, die es gibt.",
  "Nothing reads this key.": "Nichts liest diesen Schlüssel.",
  "Check its spelling, or leave it: it does no harm.":
    "Prüfen Sie die Schreibweise, oder lassen Sie ihn: Er schadet nicht.",
  "This word is not known and counts as absent.": "Dieses Wort ist nicht bekannt und zählt als keines.",
  "Choose one of the words that the field takes; `src/core/blocks/README.md` names them.":
    "Wählen Sie eines der Wörter, die das Feld annimmt; `src/core/blocks/README.md` nennt sie.",
  "It leads to a block that its group does not have, so the group's last block runs.":
    "Sie führt zu einem Block, den die Gruppe nicht hat: Deren letzter Block läuft.",
  "It leads to a group that does not exist.": "Sie führt zu einer Gruppe, die es nicht gibt.",
  "Lead the edge to a group that exists, or remove it.":
    "Führen Sie die Linie zu einer Gruppe, die es gibt, oder entfernen Sie sie.",
  "No variable has this id: the value is lost.": "Keine Variable hat diese Kennung: Der Wert geht verloren.",
  "No variable has this id: it is always empty.": "Keine Variable hat diese Kennung: Sie ist immer leer.",
  'No variable is named "{1}": nothing stands in its place.':
    "Keine Variable heißt „{1}“: An ihrer Stelle steht nichts.",
  "Choose a variable of this flow, or add one of this name.":
    "Wählen Sie eine Variable dieses Flows, oder fügen Sie eine dieses Namens hinzu.",
  "Nothing leads to this group.": "Nichts führt zu dieser Gruppe.",
  "Lead an edge to the group, or remove it.": "Führen Sie eine Linie zur Gruppe, oder entfernen Sie sie.",
  "Nothing follows this edge.": "Dieser Linie folgt nichts.",
  "Remove the edge.": "Entfernen Sie die Linie.",
  "It names no model, so nobody is asked: choose one.":
    "Er nennt kein Modell, also wird niemand gefragt: Wählen Sie eines.",
  "It names no credentials, so nobody is asked: choose some.":
    "Er nennt keine Zugangsdaten, also wird niemand gefragt: Wählen Sie welche.",
  'OpenAI switched the Assistants API off on 2026-08-26: use the action "Ask Model"':
    "OpenAI hat die Assistants-API am 26.8.2026 abgeschaltet: Nehmen Sie „Modell fragen“",
  "Visitors' words stand in this mail as HTML. Set isEscaped: true shows them as text, false says that you want them so.":
    "Worte von Besuchern stehen in dieser Mail als HTML. Setzen Sie „Werte sind einfacher Text“: An zeigt sie als Text, aus sagt, dass Sie es so wollen.",
  "No payment provider is connected here, so chats end at this block. Choose where the flow goes on: “When it cannot be taken” in its form.":
    "Hier ist kein Zahlungsanbieter angeschlossen, also enden Chats an diesem Block. Wählen Sie im Formular unter „Wenn keine Zahlung möglich ist“, wo der Flow weitergeht.",
};
