/** Of what decides. */
export const logic = {
  "Set variable": "Variable setzen",
  "Sets a variable to the value of an expression, or to a preset: a time, an id, a list that grows or shrinks, the conversation so far.":
    "Setzt eine Variable auf den Wert eines Ausdrucks oder auf eine Vorgabe: eine Zeit, eine Kennung, eine Liste, die wächst oder schrumpft, das bisherige Gespräch.",
  "Id of the variable that is set. Without it the block does nothing.":
    "Die Variable, die gesetzt wird. Ohne sie tut der Block nichts.",
  "Set to": "Setzen auf",
  "What the variable is set to.": "Worauf die Variable gesetzt wird.",
  Expression: "Ausdruck",
  "`Custom`: a text, or JavaScript with variables in it, such as `{{Score}} + 1`; where it fails as code it is a text. Nothing clears the variable, and one variable alone copies its text.":
    "`Custom`: ein Text, oder JavaScript mit Variablen darin, etwa `{{Score}} + 1`; wo es als Code scheitert, ist es ein Text. Leer leert es die Variable, und eine einzelne Variable kopiert deren Text.",
  "It is code": "Es ist Code",
  "`Custom`: whether the expression is meant as code, so that its failures are reported.":
    "`Custom`: Ob der Ausdruck als Code gemeint ist, sodass Fehler darin gemeldet werden.",
  "Save errors in": "Fehler speichern in",
  "`Custom` with `isCode`: id of the variable that the error of code that failed is written to.":
    "`Custom` with `isCode`: Die Variable, in die der Fehler von gescheitertem Code geschrieben wird.",
  Note: "Notiz",
  "What the expression is for, for its author.": "Wozu der Ausdruck dient, für seinen Autor.",
  "Run in the visitor's browser": "Im Browser des Besuchers ausführen",
  "`Custom`: whether the visitor's client runs the expression; the flow waits for its value.":
    "`Custom`: Ob der Browser des Besuchers den Ausdruck ausführt; der Flow wartet auf den Wert.",
  Unsafe: "Unsicher",
  "Whether the client should mistrust the code: set on imported flows.":
    "Ob der Browser dem Code misstrauen soll: bei importierten Flows gesetzt.",
  "`Append value(s)`: the element that is appended.": "`Append value(s)`: Das Element, das angehängt wird.",
  "Time zone": "Zeitzone",
  "`Now`, `Yesterday`, `Tomorrow`: an IANA time zone to print the time in; absent: UTC with milliseconds.":
    "`Now`, `Yesterday`, `Tomorrow`: Die IANA-Zeitzone, in der die Zeit geschrieben wird; leer: UTC mit Millisekunden.",
  "Look up": "Nachschlagen",
  "`Map item with same index`: what is looked up. Anything that is missing or not found clears the variable.":
    "`Map item with same index`: Was nachgeschlagen wird. Was fehlt oder nicht gefunden wird, leert die Variable.",
  Item: "Element",
  "Id of the variable that holds the item.": "Die Variable, die das Element enthält.",
  "List it is in": "Liste, in der es steht",
  "Id of the variable that holds the list in which the item is looked up.":
    "Die Variable mit der Liste, in der das Element gesucht wird.",
  "List to take from": "Liste, aus der genommen wird",
  "Id of the variable that holds the list whose element at the same place is taken.":
    "Die Variable mit der Liste, deren Element an derselben Stelle genommen wird.",
  "Save what is removed in": "Entferntes speichern in",
  "`Pop`, `Shift`: id of the variable that the removed element is written to.":
    "`Pop`, `Shift`: Die Variable, in die das entfernte Element geschrieben wird.",
  "An expression is code; variables stand in it as numbers, booleans, texts or lists.":
    "Ein Ausdruck ist Code; Variablen stehen darin als Zahlen, Wahrheitswerte, Texte oder Listen.",
  "What fails as code is a text.": "Was als Code scheitert, ist ein Text.",
  "Code that fails says why in a variable of its own.": "Code, der scheitert, sagt in einer eigenen Variable, warum.",
  "The visitor's client may evaluate it.": "Der Browser des Besuchers kann ihn auswerten.",
  "What the client sends back is saved, read as JSON where it is JSON.":
    "Was der Browser zurücksendet, wird gespeichert, als JSON gelesen, wo es JSON ist.",
  "Empty clears.": "Leer leert.",
  "A list grows by one element.": "Eine Liste wächst um ein Element.",
  "Pop takes the last element; Shift takes the first.": "Pop nimmt das letzte Element; Shift nimmt das erste.",
  "An item is exchanged for its counterpart in another list.":
    "Ein Element wird gegen sein Gegenstück in einer anderen Liste getauscht.",
  "The environment is the web.": "Die Umgebung ist das Web.",
  "Takes the path of the first condition that holds, else the block's own edge, else goes on with the next block.":
    "Nimmt den Weg der ersten Bedingung, die gilt, sonst den eigenen des Blocks, sonst geht es mit dem nächsten Block weiter.",
  Conditions: "Bedingungen",
  "Conditions, tried in order: the first that holds is taken.":
    "Bedingungen, der Reihe nach geprüft: Die erste, die gilt, wird genommen.",
  "Where the flow goes on when this condition holds; absent: it stops here.":
    "Wo der Flow weitergeht, wenn diese Bedingung gilt; leer: Er hält hier.",
  "The first condition that holds is taken.": "Die erste Bedingung, die gilt, wird genommen.",
  "Where no condition holds, the block's own edge is taken.":
    "Wo keine Bedingung gilt, wird der eigene Weg des Blocks genommen.",
  "A condition that holds and has no edge ends the flow there.":
    "Eine Bedingung, die gilt und nirgendwohin führt, beendet den Flow dort.",
  Redirect: "Weiterleitung",
  "Sends the visitor's browser to another address; the flow goes on at once.":
    "Schickt den Browser des Besuchers zu einer anderen Adresse; der Flow geht sofort weiter.",
  "Where the visitor is sent; `https://` is put in front unless it begins with `http`, `mailto:`, `tel:` or `sms:`. Without it the block does nothing.":
    "Wohin der Besucher geschickt wird; `https://` wird davorgesetzt, außer es beginnt mit `http`, `mailto:`, `tel:` oder `sms:`. Ohne Adresse tut der Block nichts.",
  "In a new tab": "In einem neuen Tab",
  "Whether a new tab is opened instead of leaving the page.":
    "Ob ein neuer Tab geöffnet wird, statt die Seite zu verlassen.",
  "An address without a scheme gets https.": "Eine Adresse ohne Schema bekommt https.",
  "Mail and telephone addresses stay as they are.": "Mail- und Telefonadressen bleiben, wie sie sind.",
  Code: "Code",
  "Runs JavaScript, in the visitor's client or here in a sandbox.":
    "Führt JavaScript aus, im Browser des Besuchers oder hier in einer Sandbox.",
  "What the script is called in the editor.": "Wie das Skript im Editor heißt.",
  "JavaScript, with variables in it. Without it the block does nothing.":
    "JavaScript mit Variablen darin. Ohne es tut der Block nichts.",
  "Whether the visitor's client runs it; otherwise it runs here, may call `fetch(url, init)` for a body and sets variables with `setVariable(name, value)`.":
    "Ob der Browser des Besuchers es ausführt; sonst läuft es hier, kann mit `fetch(url, init)` etwas abrufen und setzt Variablen mit `setVariable(name, value)`.",
  "Execute in parent context": "In der umgebenden Seite ausführen",
  "Kept for the editor; not used.": "Für den Editor behalten; nicht genutzt.",
  "The client gets the code with the ids of variables in it, and their values as arguments.":
    "Der Browser bekommt den Code mit den Kennungen der Variablen darin, und deren Werte als Argumente.",
  "Run here, it sets variables by their names.": "Hier ausgeführt, setzt er Variablen bei ihren Namen.",
  "A script that fails changes nothing.": "Ein Skript, das scheitert, ändert nichts.",
  Wait: "Warten",
  "Lets some seconds pass in the visitor's client before what follows is shown.":
    "Lässt im Browser des Besuchers einige Sekunden vergehen, bevor das Folgende gezeigt wird.",
  Seconds: "Sekunden",
  "How many seconds. Without it, or where it is no number, the block does nothing.":
    "Wie viele Sekunden. Ohne Angabe, oder wo es keine Zahl ist, tut der Block nichts.",
  "Stop the flow meanwhile": "Den Flow so lange anhalten",
  "Whether the flow stops until the client comes back; otherwise it goes on, and the client spaces what it shows.":
    "Ob der Flow hält, bis der Browser sich wieder meldet; sonst geht er weiter, und der Browser verteilt, was er zeigt.",
  "The client waits, the flow does not.": "Der Browser wartet, der Flow nicht.",
  "The flow stops until the client comes back.": "Der Flow hält, bis der Browser sich wieder meldet.",
  "No number, no wait.": "Keine Zahl, kein Warten.",
  "A/B test": "A/B-Test",
  "Divides visitors between two paths by chance; path `a` without an edge goes to `b`.":
    "Verteilt Besucher zufällig auf zwei Wege; führt Weg `a` nirgendwohin, geht es auf `b` weiter.",
  Paths: "Wege",
  "Path `a` and path `b`.": "Weg `a` und Weg `b`.",
  Path: "Weg",
  "Which of the two paths this is.": "Welcher der beiden Wege das ist.",
  "Where the path leads.": "Wohin der Weg führt.",
  "Visitors on path A, of a hundred": "Besucher auf Weg A, von hundert",
  "How many of a hundred visitors take path `a`.": "Wie viele von hundert Besuchern Weg `a` nehmen.",
  "Everybody takes path a.": "Alle nehmen Weg a.",
  "A path a without an edge goes to b.": "Führt Weg a nirgendwohin, geht es auf b weiter.",
  Jump: "Sprung",
  "Goes on in another group; a `Return` block there comes back to what follows the jump.":
    "Geht in einer anderen Gruppe weiter; ein Block „Zurück“ (`Return`) dort führt zu dem zurück, was auf den Sprung folgt.",
  Group: "Gruppe",
  "The group to go on at: its id, or one variable that holds its title. Without it the block does nothing.":
    "Die Gruppe, in der es weitergeht, oder eine Variable, die ihren Titel enthält. Ohne sie tut der Block nichts.",
  Block: "Block",
  "The block of that group to go on at; absent: its first.":
    "Der Block dieser Gruppe, bei dem es weitergeht; leer: ihr erster.",
  "Without a group the flow just goes on.": "Ohne Gruppe geht der Flow einfach weiter.",
  "A group that does not exist ends the flow there; the result's log says so.":
    "Eine Gruppe, die es nicht gibt, beendet den Flow dort; das Protokoll des Ergebnisses sagt es.",
  Return: "Zurück",
  "Comes back to where the last jump, command or event came from; without one the flow just goes on.":
    "Kehrt dorthin zurück, woher der letzte Sprung, Befehl oder das letzte Ereignis kam; ohne das geht der Flow einfach weiter.",
  "With nothing to come back to, the flow just goes on.":
    "Gibt es nichts, wohin es zurückgeht, geht der Flow einfach weiter.",
  "Wait for a call": "Auf einen Aufruf warten",
  "Waits until another program calls, and takes variables from what it sends: `data` of a JSON body, or a body of text as a whole.":
    "Wartet, bis ein anderes Programm aufruft, und nimmt Variablen aus dem, was es sendet: `data` eines JSON-Körpers oder einen Textkörper als Ganzes.",
  "Save in variables": "In Variablen speichern",
  "What variables take from the call.": "Was Variablen aus dem Aufruf nehmen.",
  "Id of the variable that is set.": "Die Variable, die gesetzt wird.",
  "JavaScript that gives the value from `data` and `statusCode`; where it fails, the variable stays as it is.":
    "JavaScript, das den Wert aus `data` und `statusCode` gibt; wo es scheitert, bleibt die Variable, wie sie ist.",
  "The client is told to listen, and the flow waits.": "Der Browser soll lauschen, und der Flow wartet.",
  "A JSON body has its data mapped.": "Aus einem JSON-Körper werden seine Daten zugeordnet.",
  "A body of text is the data.": "Ein Textkörper ist selbst die Daten.",
  "Link to a bot": "Anderer Bot",
  "Runs another bot's flow, or this one from another group, and comes back when it has ended.":
    "Führt den Flow eines anderen Bots aus, oder diesen ab einer anderen Gruppe, und kehrt zurück, wenn er endet.",
  Bot: "Bot",
  "The linked bot's id, or `current`.": "Der verknüpfte Bot, oder `current` für diesen.",
  "Group to begin at: its id, or one variable that holds its title. Default: the flow's start.":
    "Die Gruppe, bei der es beginnt, oder eine Variable, die ihren Titel enthält. Vorgabe: der Anfang des Flows.",
  "Take answers and variables over": "Antworten und Variablen übernehmen",
  "Whether answers and variables come back. Default: false, true in flows older than version 6.":
    "Ob Antworten und Variablen zurückkommen. Vorgabe: nein; ja in Flows vor Version 6.",
  "Without a bot nothing happens but a log entry.": "Ohne Bot geschieht nichts außer einem Eintrag im Protokoll.",
  and: "und",
  or: "oder",
  "Until another program calls": "Bis ein anderes Programm aufruft",
  "To where the last jump came from": "Dorthin, woher der letzte Sprung kam",
  "{options.variableId}: append {options.item}": "{options.variableId}: {options.item} anhängen",
  "{options.variableId} = nothing": "{options.variableId} = nichts",
};
