/** Of language models. */
export const models = {
  OpenAI: "OpenAI",
  "Asks a language model of OpenAI, or of any server that speaks its language; has texts spoken and recordings written down.":
    "Fragt ein Sprachmodell von OpenAI oder eines beliebigen Servers, der dessen Sprache spricht; lässt Texte vorlesen und Aufnahmen niederschreiben.",
  "What is done: `Create chat completion`, `Ask Model`, `Generate variables`, `Create speech`, `Create transcription`, `Ask Assistant`. Without it, and with any other, the block does nothing but log it.":
    "Was getan wird: `Create chat completion`, `Ask Model`, `Generate variables`, `Create speech`, `Create transcription`, `Ask Assistant`. Ohne Angabe, und bei jeder anderen, schreibt der Block es nur ins Protokoll.",
  "Id of the workspace's credentials of this type.": "Die Zugangsdaten des Arbeitsbereichs von diesem Typ.",
  "Address of the API, where its origin is that of the credentials; absent: theirs.":
    "Adresse der API, wo ihr Ursprung der der Zugangsdaten ist; leer: deren.",
  "API version": "API-Version",
  "The query parameter `api-version`, which Azure asks for.": "Der Abfrageparameter `api-version`, den Azure verlangt.",
  Model: "Modell",
  "Name of the model, as its provider writes it.": "Name des Modells, wie sein Anbieter ihn schreibt.",
  "Seconds to wait for the answer, further tries included, at most 240.":
    "Sekunden, die auf die Antwort gewartet wird, weitere Versuche eingeschlossen, höchstens 240.",
  Assistant: "Assistent",
  "Kept; nothing is asked any more.": "Behalten; es wird nichts mehr gefragt.",
  "Thread variable": "Variable des Gesprächsfadens",
  Thread: "Gesprächsfaden",
  "What the model is asked.": "Was das Modell gefragt wird.",
  "Additional instructions": "Weitere Anweisungen",
  Functions: "Funktionen",
  "What the model may have run here, as `tools`.": "Was das Modell hier ausführen lassen kann, als `tools`.",
  Type: "Typ",
  "`function`.": "`function`.",
  "Its name, for the model and for logs.": "Ihr Name, für das Modell und für Protokolle.",
  "What it is for, for the model.": "Wozu sie dient, für das Modell.",
  "What it is called with.": "Womit sie aufgerufen wird.",
  "What it takes; `enum`: one of `values`.": "Was er annimmt; `enum`: einen von `values`.",
  "Its name.": "Sein Name.",
  "What it means, for the model.": "Was er bedeutet, für das Modell.",
  "Whether the model has to give it.": "Ob das Modell ihn angeben muss.",
  Values: "Werte",
  "What an `enum` may be.": "Was ein `enum` sein kann.",
  "JavaScript that returns its value. Parameters are variables of their names; `fetch(url, init)` gives a body and `setVariable(name, value)` sets a variable.":
    "JavaScript, das ihren Wert zurückgibt. Parameter sind Variablen mit ihren Namen; `fetch(url, init)` ruft etwas ab, und `setVariable(name, value)` setzt eine Variable.",
  "What variables take from the answer. Where there is none, that of the message is emptied.":
    "Was Variablen aus der Antwort nehmen. Wo es keine gibt, wird die der Nachricht geleert.",
  "What the variable gets.": "Was die Variable bekommt.",
  Recording: "Aufnahme",
  "Address of the recording: one of this chat's files, or any other.":
    "Adresse der Aufnahme: eine der Dateien dieses Chats oder irgendeine andere.",
  "What the values are taken from.": "Woraus die Werte genommen werden.",
  "Save text in": "Text speichern in",
  "Id of the variable that gets what was said.": "Die Variable, die bekommt, was gesagt wurde.",
  "What is spoken.": "Was gesprochen wird.",
  Voice: "Stimme",
  "Whose voice, as the provider names it.": "Wessen Stimme, wie der Anbieter sie nennt.",
  Instructions: "Anweisungen",
  "How the model is to answer.": "Wie das Modell antworten soll.",
  "Id of the variable that gets the address of the recording (mp3).":
    "Die Variable, die die Adresse der Aufnahme (mp3) bekommt.",
  Temperature: "Temperatur",
  "From 0 to 2: how freely the model chooses its words. Absent: as the model does.":
    "Von 0 bis 2: wie frei das Modell seine Worte wählt. Leer: wie das Modell es tut.",
  "Most tokens": "Tokens höchstens",
  "The most tokens of the answer, up to 200000. Absent: as the model does.":
    "Die meisten Tokens der Antwort, bis 200000. Leer: wie das Modell es tut.",
  "If it does not answer": "Wenn es nicht antwortet",
  "Who is asked in turn where this model gives no answer, at most 3.":
    "Wer der Reihe nach gefragt wird, wenn dieses Modell keine Antwort gibt, höchstens 3.",
  "Type of the credentials, such as `mistral`.": "Typ der Zugangsdaten, etwa `mistral`.",
  "Their id.": "Ihre Kennung.",
  "Name of the model.": "Name des Modells.",
  "Variables to find": "Gesuchte Variablen",
  "What the model is to find.": "Was das Modell finden soll.",
  "Id of the variable. The model knows it by its name.": "Die Variable. Das Modell kennt sie beim Namen.",
  "Whether the model has to find a value.": "Ob das Modell einen Wert finden muss.",
  "Keep the conversation in": "Gespräch behalten in",
  "Id of the variable that keeps the id of the response: while it has one, the model goes on from there.":
    "Die Variable, die die Kennung der Antwort behält: Solange sie eine hat, setzt das Modell dort fort.",
  "Stores to search": "Zu durchsuchende Speicher",
  "Stores at the provider that the model may search.": "Speicher beim Anbieter, die das Modell durchsuchen darf.",
  "Most finds": "Funde höchstens",
  "How much of them it gets, from 1 to 50.": "Wie viel davon es bekommt, von 1 bis 50.",
  "Least fit": "Mindestens so passend",
  "How well that has to fit, from 0 to 1.": "Wie gut das passen muss, von 0 bis 1.",
  "Search the web": "Im Web suchen",
  "Whether the model may search the web.": "Ob das Modell im Web suchen darf.",
  "Run code": "Code ausführen",
  "Whether the model may run code at the provider.": "Ob das Modell beim Anbieter Code ausführen darf.",
  Messages: "Nachrichten",
  "What the model is told. Those of `system` come first.":
    "Was dem Modell gesagt wird. Die von `system` kommen zuerst.",
  Role: "Rolle",
  "Who says it; `Dialogue`: a list of turns.": "Wer es sagt; `Dialogue`: eine Liste von Beiträgen.",
  "What is said. A message that is blank is left out.": "Was gesagt wird. Eine leere Nachricht wird weggelassen.",
  Turns: "Beiträge",
  "Id of the variable that holds the turns of a `Dialogue`.":
    "Die Variable mit den Beiträgen eines Dialogs (`Dialogue`).",
  "First turn": "Erster Beitrag",
  "Whose the first turn of a `Dialogue` is.": "Wessen der erste Beitrag eines Dialogs (`Dialogue`) ist.",
  Tools: "Werkzeuge",
  "What the model may have run here on the way to its answer.":
    "Was das Modell auf dem Weg zu seiner Antwort hier ausführen lassen kann.",
  "Without an action it does nothing; the log says so.": "Ohne Aktion tut er nichts; das Protokoll sagt es.",
  Anthropic: "Anthropic",
  "Asks a language model of Anthropic for an answer, or for values that it finds in a text.":
    "Fragt ein Sprachmodell von Anthropic nach einer Antwort, oder nach Werten, die es in einem Text findet.",
  "What is done: `Create Chat Message`, `Generate variables`. Without it, and with any other, the block does nothing but log it.":
    "Was getan wird: `Create Chat Message`, `Generate variables`. Ohne Angabe, und bei jeder anderen, schreibt der Block es nur ins Protokoll.",
  "System message": "Systemnachricht",
  "What the model is told first.": "Was dem Modell zuerst gesagt wird.",
  Mistral: "Mistral",
  "Asks a language model of Mistral for an answer, or for values that it finds in a text.":
    "Fragt ein Sprachmodell von Mistral nach einer Antwort, oder nach Werten, die es in einem Text findet.",
  "What is done: `Create chat completion`, `Generate variables`. Without it, and with any other, the block does nothing but log it.":
    "Was getan wird: `Create chat completion`, `Generate variables`. Ohne Angabe, und bei jeder anderen, schreibt der Block es nur ins Protokoll.",
  Groq: "Groq",
  "Asks a language model of Groq for an answer, and gives it to variables.":
    "Fragt ein Sprachmodell von Groq nach einer Antwort und gibt sie Variablen.",
  "What is done: `Create chat completion`. Without it, and with any other, the block does nothing but log it.":
    "Was getan wird: `Create chat completion`. Ohne Angabe, und bei jeder anderen, schreibt der Block es nur ins Protokoll.",
  DeepSeek: "DeepSeek",
  "Asks a language model of DeepSeek for an answer, and gives it to variables.":
    "Fragt ein Sprachmodell von DeepSeek nach einer Antwort und gibt sie Variablen.",
  Perplexity: "Perplexity",
  "Asks a language model of Perplexity for an answer, and gives it to variables.":
    "Fragt ein Sprachmodell von Perplexity nach einer Antwort und gibt sie Variablen.",
  OpenRouter: "OpenRouter",
  "Asks a language model of OpenRouter for an answer, and gives it to variables.":
    "Fragt ein Sprachmodell von OpenRouter nach einer Antwort und gibt sie Variablen.",
  "Together AI": "Together AI",
  "Asks a language model of Together AI for an answer, and gives it to variables.":
    "Fragt ein Sprachmodell von Together AI nach einer Antwort und gibt sie Variablen.",
  "OpenAI (older)": "OpenAI (älter)",
  "The older form of `openai`: asks a language model, or has a text spoken.":
    "Die ältere Form von `openai`: fragt ein Sprachmodell oder lässt einen Text vorlesen.",
  "What is done. Without it, and with `Create image`, the block does nothing.":
    "Was getan wird. Ohne Angabe, und bei `Create image`, tut der Block nichts.",
  "Id of the workspace's credentials of the type `openai`.": "Die Zugangsdaten des Arbeitsbereichs vom Typ `openai`.",
  "Who says it, or where it is taken from.": "Wer es sagt, oder woher es genommen wird.",
  "What is said; of a sequence, the variables that hold both sides.":
    "Was gesagt wird; bei einer Folge die Variablen, die beide Seiten enthalten.",
  "Said by the model": "Vom Modell gesagt",
  "Id of the variable with what the model said.": "Die Variable mit dem, was das Modell gesagt hat.",
  "Said by the visitor": "Vom Besucher gesagt",
  "Id of the variable with what the visitor said.": "Die Variable mit dem, was der Besucher gesagt hat.",
  "Kept; no model is told.": "Behalten; keinem Modell wird es gesagt.",
  "Advanced settings": "Weitere Einstellungen",
  "How the model answers.": "Wie das Modell antwortet.",
  "From 0 to 2: how freely the model chooses its words.": "Von 0 bis 2: wie frei das Modell seine Worte wählt.",
  "What variables take from the answer.": "Was Variablen aus der Antwort nehmen.",
  "What the variable gets. A list gets the message as its next element.":
    "Was die Variable bekommt. Eine Liste bekommt die Nachricht als nächstes Element.",
  "Whose voice, as OpenAI names it.": "Wessen Stimme, wie OpenAI sie nennt.",
  "Seconds to wait for the answer, at most 240.": "Sekunden, die auf die Antwort gewartet wird, höchstens 240.",
  "Without a task it does nothing.": "Ohne Aufgabe tut er nichts.",
};
