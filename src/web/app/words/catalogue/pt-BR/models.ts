/** Of language models. */
export const models = {
  OpenAI: "OpenAI",
  "Asks a language model of OpenAI, or of any server that speaks its language; has texts spoken and recordings written down.":
    "Pergunta a um modelo de linguagem da OpenAI, ou de qualquer servidor que fale a língua dela; faz ler textos em voz alta e transcrever gravações.",
  "What is done: `Create chat completion`, `Ask Model`, `Generate variables`, `Create speech`, `Create transcription`, `Ask Assistant`. Without it, and with any other, the block does nothing but log it.":
    "O que é feito: `Create chat completion`, `Ask Model`, `Generate variables`, `Create speech`, `Create transcription`, `Ask Assistant`. Sem isso, e com qualquer outra coisa, o bloco só escreve no registro.",
  "Id of the workspace's credentials of this type.": "As credenciais do espaço de trabalho deste tipo.",
  "Address of the API, where its origin is that of the credentials; absent: theirs.":
    "Endereço da API, quando a origem é a das credenciais; vazio: o delas.",
  "API version": "Versão da API",
  "The query parameter `api-version`, which Azure asks for.":
    "O parâmetro de consulta `api-version`, que o Azure pede.",
  Model: "Modelo",
  "Name of the model, as its provider writes it.": "Nome do modelo, como o provedor o escreve.",
  "Seconds to wait for the answer, further tries included, at most 240.":
    "Segundos de espera pela resposta, novas tentativas incluídas, no máximo 240.",
  Assistant: "Assistente",
  "Kept; nothing is asked any more.": "Guardado; nada mais é perguntado.",
  "Thread variable": "Variável da conversa (thread)",
  Thread: "Conversa (thread)",
  "What the model is asked.": "O que se pergunta ao modelo.",
  "Additional instructions": "Instruções adicionais",
  Functions: "Funções",
  "What the model may have run here, as `tools`.": "O que o modelo pode mandar executar aqui, como `tools`.",
  Type: "Tipo",
  "`function`.": "`function`.",
  "Its name, for the model and for logs.": "O nome dela, para o modelo e para registros.",
  "What it is for, for the model.": "Para que serve, para o modelo.",
  "What it is called with.": "Com o que é chamada.",
  "What it takes; `enum`: one of `values`.": "O que aceita; `enum`: um dos `values`.",
  "Its name.": "O nome dele.",
  "What it means, for the model.": "O que significa, para o modelo.",
  "Whether the model has to give it.": "Se o modelo precisa informá-lo.",
  Values: "Valores",
  "What an `enum` may be.": "O que um `enum` pode ser.",
  "JavaScript that returns its value. Parameters are variables of their names; `fetch(url, init)` gives a body and `setVariable(name, value)` sets a variable.":
    "JavaScript que devolve o valor dela. Parâmetros são variáveis com os nomes deles; `fetch(url, init)` busca algo e `setVariable(name, value)` define uma variável.",
  "What variables take from the answer. Where there is none, that of the message is emptied.":
    "O que as variáveis tiram da resposta. Onde não há nenhuma, a da mensagem é esvaziada.",
  "What the variable gets.": "O que a variável recebe.",
  Recording: "Gravação",
  "Address of the recording: one of this chat's files, or any other.":
    "Endereço da gravação: um dos arquivos desta conversa, ou qualquer outro.",
  "What the values are taken from.": "De onde os valores são tirados.",
  "Save text in": "Salvar texto em",
  "Id of the variable that gets what was said.": "A variável que recebe o que foi dito.",
  "What is spoken.": "O que é falado.",
  Voice: "Voz",
  "Whose voice, as the provider names it.": "A voz de quem, como o provedor a chama.",
  Instructions: "Instruções",
  "How the model is to answer.": "Como o modelo deve responder.",
  "Id of the variable that gets the address of the recording (mp3).":
    "A variável que recebe o endereço da gravação (mp3).",
  Temperature: "Temperatura",
  "From 0 to 2: how freely the model chooses its words. Absent: as the model does.":
    "De 0 a 2: com que liberdade o modelo escolhe as palavras. Vazio: como o modelo faz.",
  "Most tokens": "Máximo de tokens",
  "The most tokens of the answer, up to 200000. Absent: as the model does.":
    "O máximo de tokens da resposta, até 200000. Vazio: como o modelo faz.",
  "If it does not answer": "Se ele não responder",
  "Who is asked in turn where this model gives no answer, at most 3.":
    "Quem é perguntado em seguida quando este modelo não dá resposta, no máximo 3.",
  "Type of the credentials, such as `mistral`.": "Tipo das credenciais, como `mistral`.",
  "Their id.": "O id delas.",
  "Name of the model.": "Nome do modelo.",
  "Variables to find": "Variáveis a encontrar",
  "What the model is to find.": "O que o modelo deve encontrar.",
  "Id of the variable. The model knows it by its name.": "A variável. O modelo a conhece pelo nome.",
  "Whether the model has to find a value.": "Se o modelo precisa encontrar um valor.",
  "Keep the conversation in": "Guardar a conversa em",
  "Id of the variable that keeps the id of the response: while it has one, the model goes on from there.":
    "A variável que guarda o id da resposta: enquanto ela tem um, o modelo continua dali.",
  "Stores to search": "Acervos a pesquisar",
  "Stores at the provider that the model may search.": "Acervos no provedor que o modelo pode pesquisar.",
  "Most finds": "Máximo de achados",
  "How much of them it gets, from 1 to 50.": "Quanto deles ele recebe, de 1 a 50.",
  "Least fit": "Adequação mínima",
  "How well that has to fit, from 0 to 1.": "Quão bem isso precisa combinar, de 0 a 1.",
  "Search the web": "Pesquisar na web",
  "Whether the model may search the web.": "Se o modelo pode pesquisar na web.",
  "Run code": "Executar código",
  "Whether the model may run code at the provider.": "Se o modelo pode executar código no provedor.",
  Messages: "Mensagens",
  "What the model is told. Those of `system` come first.": "O que se diz ao modelo. As de `system` vêm primeiro.",
  Role: "Papel",
  "Who says it; `Dialogue`: a list of turns.": "Quem diz; `Dialogue`: uma lista de falas.",
  "What is said. A message that is blank is left out.": "O que é dito. Uma mensagem em branco fica de fora.",
  Turns: "Falas",
  "Id of the variable that holds the turns of a `Dialogue`.": "A variável com as falas de um diálogo (`Dialogue`).",
  "First turn": "Primeira fala",
  "Whose the first turn of a `Dialogue` is.": "De quem é a primeira fala de um diálogo (`Dialogue`).",
  Tools: "Ferramentas",
  "What the model may have run here on the way to its answer.":
    "O que o modelo pode mandar executar aqui a caminho da resposta.",
  "Without an action it does nothing; the log says so.": "Sem ação ele não faz nada; o registro diz isso.",
  Anthropic: "Anthropic",
  "Asks a language model of Anthropic for an answer, or for values that it finds in a text.":
    "Pede a um modelo de linguagem da Anthropic uma resposta, ou valores que ele encontra em um texto.",
  "What is done: `Create Chat Message`, `Generate variables`. Without it, and with any other, the block does nothing but log it.":
    "O que é feito: `Create Chat Message`, `Generate variables`. Sem isso, e com qualquer outra coisa, o bloco só escreve no registro.",
  "System message": "Mensagem de sistema",
  "What the model is told first.": "O que se diz ao modelo primeiro.",
  Mistral: "Mistral",
  "Asks a language model of Mistral for an answer, or for values that it finds in a text.":
    "Pede a um modelo de linguagem da Mistral uma resposta, ou valores que ele encontra em um texto.",
  "What is done: `Create chat completion`, `Generate variables`. Without it, and with any other, the block does nothing but log it.":
    "O que é feito: `Create chat completion`, `Generate variables`. Sem isso, e com qualquer outra coisa, o bloco só escreve no registro.",
  Groq: "Groq",
  "Asks a language model of Groq for an answer, and gives it to variables.":
    "Pede uma resposta a um modelo de linguagem da Groq, e a dá a variáveis.",
  "What is done: `Create chat completion`. Without it, and with any other, the block does nothing but log it.":
    "O que é feito: `Create chat completion`. Sem isso, e com qualquer outra coisa, o bloco só escreve no registro.",
  DeepSeek: "DeepSeek",
  "Asks a language model of DeepSeek for an answer, and gives it to variables.":
    "Pede uma resposta a um modelo de linguagem da DeepSeek, e a dá a variáveis.",
  Perplexity: "Perplexity",
  "Asks a language model of Perplexity for an answer, and gives it to variables.":
    "Pede uma resposta a um modelo de linguagem da Perplexity, e a dá a variáveis.",
  OpenRouter: "OpenRouter",
  "Asks a language model of OpenRouter for an answer, and gives it to variables.":
    "Pede uma resposta a um modelo de linguagem do OpenRouter, e a dá a variáveis.",
  "Together AI": "Together AI",
  "Asks a language model of Together AI for an answer, and gives it to variables.":
    "Pede uma resposta a um modelo de linguagem da Together AI, e a dá a variáveis.",
  "OpenAI (older)": "OpenAI (antigo)",
  "The older form of `openai`: asks a language model, or has a text spoken.":
    "A forma antiga de `openai`: pergunta a um modelo de linguagem, ou faz ler um texto em voz alta.",
  "What is done. Without it, and with `Create image`, the block does nothing.":
    "O que é feito. Sem isso, e com `Create image`, o bloco não faz nada.",
  "Id of the workspace's credentials of the type `openai`.": "As credenciais do espaço de trabalho do tipo `openai`.",
  "Who says it, or where it is taken from.": "Quem diz, ou de onde é tirado.",
  "What is said; of a sequence, the variables that hold both sides.":
    "O que é dito; em uma sequência, as variáveis que guardam os dois lados.",
  "Said by the model": "Dito pelo modelo",
  "Id of the variable with what the model said.": "A variável com o que o modelo disse.",
  "Said by the visitor": "Dito pelo visitante",
  "Id of the variable with what the visitor said.": "A variável com o que o visitante disse.",
  "Kept; no model is told.": "Guardado; não é dito a nenhum modelo.",
  "Advanced settings": "Configurações avançadas",
  "How the model answers.": "Como o modelo responde.",
  "From 0 to 2: how freely the model chooses its words.": "De 0 a 2: com que liberdade o modelo escolhe as palavras.",
  "What variables take from the answer.": "O que as variáveis tiram da resposta.",
  "What the variable gets. A list gets the message as its next element.":
    "O que a variável recebe. Uma lista recebe a mensagem como próximo elemento.",
  "Whose voice, as OpenAI names it.": "A voz de quem, como a OpenAI a chama.",
  "Seconds to wait for the answer, at most 240.": "Segundos de espera pela resposta, no máximo 240.",
  "Without a task it does nothing.": "Sem tarefa ele não faz nada.",
};
