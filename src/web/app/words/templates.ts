import { area } from "./language.ts";

type Told = { readonly name: string; readonly about: string };

/** The gallery's description of each template, by its id. The words of their bots are English: authors make them their own. */
type Gallery = {
  readonly told: Readonly<Record<string, Told>>;
  readonly try: string;
  readonly tryOne: (name: string) => string;
  readonly back: string;
  readonly frame: string;
  /** Where the interface speaks another language than the templates. */
  readonly inEnglish: string;
};

const english: Gallery = {
  // The templates' own names and sentences.
  told: {},
  try: "Try it",
  tryOne: (name) => `Try it: ${name}`,
  back: "Back to the templates",
  frame: "The template as visitors would see it",
  inEnglish: "",
};

export const templateWords = area<Gallery>({
  en: english,
  de: {
    told: {
      "lead-capture": {
        name: "Interessenten gewinnen",
        about:
          "Begrüßt Besucher, erfährt, was sie bis wann brauchen, und hinterlässt Namen und Adresse für eine Antwort.",
      },
      feedback: {
        name: "Rückmeldung (NPS)",
        about: "Fragt, wie wahrscheinlich man weiterempfohlen wird, warum, und was es besser machen würde.",
      },
      faq: {
        name: "Fragen und Antworten",
        about:
          "Beantwortet, was am häufigsten gefragt wird, so oft man will, und übergibt an einen Menschen, wo das nicht reicht.",
      },
      appointment: {
        name: "Terminanfrage",
        about: "Nimmt Anlass, Tag und Tageszeit auf, und wie man die Person erreicht; Sie bestätigen.",
      },
      quiz: {
        name: "Quiz mit Punkten",
        about:
          "Drei Fragen, nach jeder eine Erklärung, und ein Ergebnis, das zu den Punkten passt. Stellen Sie Ihre eigenen Fragen.",
      },
      newsletter: {
        name: "Newsletter-Anmeldung",
        about: "Sagt, was man wie oft bekommt, lässt Themen wählen und fragt vor der Adresse nach der Einwilligung.",
      },
      "support-triage": {
        name: "Erste Hilfe im Support",
        about:
          "Versucht zuerst die zwei üblichen Mittel und nimmt dann eine Meldung auf, mit der Ihr Team etwas anfangen kann.",
      },
    },
    try: "Ausprobieren",
    tryOne: (name) => `Ausprobieren: ${name}`,
    back: "Zurück zu den Vorlagen",
    frame: "Die Vorlage, wie Besucher sie sähen",
    inEnglish: "Was die Vorlagen sagen, ist auf Englisch: Machen Sie daraus Ihre eigenen Texte.",
  },
  "pt-BR": {
    told: {
      "lead-capture": {
        name: "Captação de contatos",
        about:
          "Recebe visitantes, descobre do que precisam e para quando, e deixa um nome e um endereço para responder.",
      },
      feedback: {
        name: "Opinião (NPS)",
        about: "Pergunta qual a chance de recomendarem você, por quê, e o que faria ficar melhor.",
      },
      faq: {
        name: "Perguntas e respostas",
        about: "Responde ao que mais perguntam, quantas vezes quiserem, e passa a uma pessoa quando isso não basta.",
      },
      appointment: {
        name: "Pedido de horário",
        about: "Anota o motivo, um dia e um período, e como falar com a pessoa; você confirma.",
      },
      quiz: {
        name: "Quiz com pontos",
        about:
          "Três perguntas, uma explicação depois de cada, e um resultado de acordo com os pontos. Faça suas próprias perguntas.",
      },
      newsletter: {
        name: "Inscrição em boletim",
        about:
          "Diz o que se recebe e com que frequência, deixa escolher assuntos e pede consentimento antes do endereço.",
      },
      "support-triage": {
        name: "Triagem de suporte",
        about: "Tenta primeiro os dois remédios de sempre e depois anota um relato com o qual sua equipe pode agir.",
      },
    },
    try: "Experimentar",
    tryOne: (name) => `Experimentar: ${name}`,
    back: "Voltar aos modelos",
    frame: "O modelo como os visitantes o veriam",
    inEnglish: "O que os modelos dizem está em inglês: faça deles os seus próprios textos.",
  },
});
