/** Of what decides. */
export const logic = {
  "Set variable": "Definir variável",
  "Sets a variable to the value of an expression, or to a preset: a time, an id, a list that grows or shrinks, the conversation so far.":
    "Dá a uma variável o valor de uma expressão, ou um valor pronto: uma hora, um id, uma lista que cresce ou encolhe, a conversa até aqui.",
  "Id of the variable that is set. Without it the block does nothing.":
    "A variável que é definida. Sem ela o bloco não faz nada.",
  "Set to": "Definir como",
  "What the variable is set to.": "O que a variável recebe.",
  Expression: "Expressão",
  "`Custom`: a text, or JavaScript with variables in it, such as `{{Score}} + 1`; where it fails as code it is a text. Nothing clears the variable, and one variable alone copies its text.":
    "`Custom`: um texto, ou JavaScript com variáveis nele, como `{{Score}} + 1`; onde falha como código, é um texto. Vazio limpa a variável, e uma única variável copia o texto dela.",
  "It is code": "É código",
  "`Custom`: whether the expression is meant as code, so that its failures are reported.":
    "`Custom`: se a expressão é para ser código, para que as falhas sejam relatadas.",
  "Save errors in": "Salvar erros em",
  "`Custom` with `isCode`: id of the variable that the error of code that failed is written to.":
    "`Custom` with `isCode`: a variável em que é escrito o erro do código que falhou.",
  Note: "Nota",
  "What the expression is for, for its author.": "Para que serve a expressão, para o autor dela.",
  "Run in the visitor's browser": "Executar no navegador do visitante",
  "`Custom`: whether the visitor's client runs the expression; the flow waits for its value.":
    "`Custom`: se o navegador do visitante executa a expressão; o fluxo espera pelo valor.",
  Unsafe: "Inseguro",
  "Whether the client should mistrust the code: set on imported flows.":
    "Se o navegador deve desconfiar do código: ligado em fluxos importados.",
  "`Append value(s)`: the element that is appended.": "`Append value(s)`: o elemento que é acrescentado.",
  "Time zone": "Fuso horário",
  "`Now`, `Yesterday`, `Tomorrow`: an IANA time zone to print the time in; absent: UTC with milliseconds.":
    "`Now`, `Yesterday`, `Tomorrow`: o fuso IANA em que a hora é escrita; vazio: UTC com milissegundos.",
  "Look up": "Procurar",
  "`Map item with same index`: what is looked up. Anything that is missing or not found clears the variable.":
    "`Map item with same index`: o que é procurado. O que falta ou não é achado limpa a variável.",
  Item: "Item",
  "Id of the variable that holds the item.": "A variável que contém o item.",
  "List it is in": "Lista em que ele está",
  "Id of the variable that holds the list in which the item is looked up.":
    "A variável com a lista em que o item é procurado.",
  "List to take from": "Lista de onde tirar",
  "Id of the variable that holds the list whose element at the same place is taken.":
    "A variável com a lista cujo elemento no mesmo lugar é tomado.",
  "Save what is removed in": "Salvar o removido em",
  "`Pop`, `Shift`: id of the variable that the removed element is written to.":
    "`Pop`, `Shift`: a variável em que o elemento removido é escrito.",
  "An expression is code; variables stand in it as numbers, booleans, texts or lists.":
    "Uma expressão é código; variáveis entram nela como números, booleanos, textos ou listas.",
  "What fails as code is a text.": "O que falha como código é um texto.",
  "Code that fails says why in a variable of its own.": "Código que falha diz por quê em uma variável própria.",
  "The visitor's client may evaluate it.": "O navegador do visitante pode avaliá-la.",
  "What the client sends back is saved, read as JSON where it is JSON.":
    "O que o navegador devolve é guardado, lido como JSON onde é JSON.",
  "Empty clears.": "Vazio limpa.",
  "A list grows by one element.": "Uma lista cresce em um elemento.",
  "Pop takes the last element; Shift takes the first.": "Pop tira o último elemento; Shift tira o primeiro.",
  "An item is exchanged for its counterpart in another list.":
    "Um item é trocado por seu correspondente em outra lista.",
  "The environment is the web.": "O ambiente é a web.",
  "Takes the path of the first condition that holds, else the block's own edge, else goes on with the next block.":
    "Segue o caminho da primeira condição que vale, senão o do próprio bloco, senão continua no próximo bloco.",
  Conditions: "Condições",
  "Conditions, tried in order: the first that holds is taken.":
    "Condições, testadas em ordem: a primeira que vale é seguida.",
  "Where the flow goes on when this condition holds; absent: it stops here.":
    "Onde o fluxo continua quando esta condição vale; vazio: ele para aqui.",
  "The first condition that holds is taken.": "A primeira condição que vale é seguida.",
  "Where no condition holds, the block's own edge is taken.":
    "Onde nenhuma condição vale, segue-se o caminho do próprio bloco.",
  "A condition that holds and has no edge ends the flow there.":
    "Uma condição que vale e não leva a lugar nenhum termina o fluxo ali.",
  Redirect: "Redirecionar",
  "Sends the visitor's browser to another address; the flow goes on at once.":
    "Manda o navegador do visitante a outro endereço; o fluxo continua na hora.",
  "Where the visitor is sent; `https://` is put in front unless it begins with `http`, `mailto:`, `tel:` or `sms:`. Without it the block does nothing.":
    "Para onde o visitante é mandado; `https://` vai na frente, a não ser que comece com `http`, `mailto:`, `tel:` ou `sms:`. Sem endereço o bloco não faz nada.",
  "In a new tab": "Em uma nova aba",
  "Whether a new tab is opened instead of leaving the page.": "Se uma nova aba é aberta, em vez de sair da página.",
  "An address without a scheme gets https.": "Um endereço sem esquema recebe https.",
  "Mail and telephone addresses stay as they are.": "Endereços de e-mail e telefone ficam como estão.",
  Code: "Código",
  "Runs JavaScript, in the visitor's client or here in a sandbox.":
    "Executa JavaScript, no navegador do visitante ou aqui em uma sandbox.",
  "What the script is called in the editor.": "Como o script se chama no editor.",
  "JavaScript, with variables in it. Without it the block does nothing.":
    "JavaScript, com variáveis nele. Sem ele o bloco não faz nada.",
  "Whether the visitor's client runs it; otherwise it runs here, may call `fetch(url, init)` for a body and sets variables with `setVariable(name, value)`.":
    "Se o navegador do visitante o executa; senão ele roda aqui, pode buscar algo com `fetch(url, init)` e define variáveis com `setVariable(name, value)`.",
  "Execute in parent context": "Executar na página em volta",
  "Kept for the editor; not used.": "Guardado para o editor; não usado.",
  "The client gets the code with the ids of variables in it, and their values as arguments.":
    "O navegador recebe o código com os ids das variáveis, e os valores delas como argumentos.",
  "Run here, it sets variables by their names.": "Executado aqui, define variáveis pelos nomes.",
  "A script that fails changes nothing.": "Um script que falha não muda nada.",
  Wait: "Esperar",
  "Lets some seconds pass in the visitor's client before what follows is shown.":
    "Deixa passar alguns segundos no navegador do visitante antes de mostrar o que vem depois.",
  Seconds: "Segundos",
  "How many seconds. Without it, or where it is no number, the block does nothing.":
    "Quantos segundos. Sem isso, ou onde não é um número, o bloco não faz nada.",
  "Stop the flow meanwhile": "Parar o fluxo enquanto isso",
  "Whether the flow stops until the client comes back; otherwise it goes on, and the client spaces what it shows.":
    "Se o fluxo para até o navegador voltar; senão ele continua, e o navegador espaça o que mostra.",
  "The client waits, the flow does not.": "O navegador espera, o fluxo não.",
  "The flow stops until the client comes back.": "O fluxo para até o navegador voltar.",
  "No number, no wait.": "Sem número, sem espera.",
  "A/B test": "Teste A/B",
  "Divides visitors between two paths by chance; path `a` without an edge goes to `b`.":
    "Divide visitantes ao acaso entre dois caminhos; se o caminho `a` não leva a nada, segue-se o `b`.",
  Paths: "Caminhos",
  "Path `a` and path `b`.": "Caminho `a` e caminho `b`.",
  Path: "Caminho",
  "Which of the two paths this is.": "Qual dos dois caminhos é este.",
  "Where the path leads.": "Para onde o caminho leva.",
  "Visitors on path A, of a hundred": "Visitantes no caminho A, de cada cem",
  "How many of a hundred visitors take path `a`.": "Quantos de cada cem visitantes seguem o caminho `a`.",
  "Everybody takes path a.": "Todos seguem o caminho a.",
  "A path a without an edge goes to b.": "Um caminho a que não leva a nada passa para o b.",
  Jump: "Salto",
  "Goes on in another group; a `Return` block there comes back to what follows the jump.":
    "Continua em outro grupo; um bloco “Voltar” (`Return`) lá traz de volta ao que segue o salto.",
  Group: "Grupo",
  "The group to go on at: its id, or one variable that holds its title. Without it the block does nothing.":
    "O grupo em que se continua, ou uma variável que contém o título dele. Sem ele o bloco não faz nada.",
  Block: "Bloco",
  "The block of that group to go on at; absent: its first.":
    "O bloco desse grupo em que se continua; vazio: o primeiro.",
  "Without a group the flow just goes on.": "Sem grupo, o fluxo simplesmente continua.",
  "A group that does not exist ends the flow there; the result's log says so.":
    "Um grupo que não existe termina o fluxo ali; o registro do resultado diz isso.",
  Return: "Voltar",
  "Comes back to where the last jump, command or event came from; without one the flow just goes on.":
    "Volta para onde veio o último salto, comando ou evento; sem um, o fluxo simplesmente continua.",
  "With nothing to come back to, the flow just goes on.": "Sem nada para onde voltar, o fluxo simplesmente continua.",
  "Wait for a call": "Esperar uma chamada",
  "Waits until another program calls, and takes variables from what it sends: `data` of a JSON body, or a body of text as a whole.":
    "Espera até que outro programa chame, e tira variáveis do que ele envia: `data` de um corpo JSON, ou um corpo de texto inteiro.",
  "Save in variables": "Salvar em variáveis",
  "What variables take from the call.": "O que as variáveis tiram da chamada.",
  "Id of the variable that is set.": "A variável que é definida.",
  "JavaScript that gives the value from `data` and `statusCode`; where it fails, the variable stays as it is.":
    "JavaScript que dá o valor a partir de `data` e `statusCode`; onde falha, a variável fica como está.",
  "The client is told to listen, and the flow waits.": "O navegador fica à escuta, e o fluxo espera.",
  "A JSON body has its data mapped.": "De um corpo JSON, os dados são mapeados.",
  "A body of text is the data.": "Um corpo de texto é, ele mesmo, os dados.",
  "Link to a bot": "Link a um bot",
  "Runs another bot's flow, or this one from another group, and comes back when it has ended.":
    "Executa o fluxo de outro bot, ou este a partir de outro grupo, e volta quando ele termina.",
  Bot: "Bot",
  "The linked bot's id, or `current`.": "O bot ligado, ou `current` para este.",
  "Group to begin at: its id, or one variable that holds its title. Default: the flow's start.":
    "O grupo em que começa, ou uma variável que contém o título dele. Padrão: o início do fluxo.",
  "Take answers and variables over": "Trazer respostas e variáveis",
  "Whether answers and variables come back. Default: false, true in flows older than version 6.":
    "Se respostas e variáveis voltam. Padrão: não; sim em fluxos anteriores à versão 6.",
  "Without a bot nothing happens but a log entry.": "Sem bot nada acontece, a não ser uma entrada no registro.",
  and: "e",
  or: "ou",
  "Until another program calls": "Até que outro programa chame",
  "To where the last jump came from": "Para onde veio o último salto",
  "{options.variableId}: append {options.item}": "{options.variableId}: acrescentar {options.item}",
  "{options.variableId} = nothing": "{options.variableId} = nada",
};
