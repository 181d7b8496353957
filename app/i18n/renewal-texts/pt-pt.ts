import type { RenewalTranslation } from "./translation"

export const ptPt: RenewalTranslation = {
  heading: "Renovar",
  paidUntil: "Pago até {{date}}.",
  until: "Renovar até {{date}}",
  grace:
    "O seu período terminou em {{date}}. Se renovar até {{graceEnd}}, nada é interrompido: o novo período segue-se ao anterior.",
  later: "O seu período terminou em {{date}}. O novo começa com o seu pagamento.",
  resumed:
    "O seu acesso está suspenso porque estava pago até {{date}}. Volta a funcionar assim que pagar, com os mesmos dados de acesso. O novo período começa nesse momento.",
  new: "O seu acesso estava pago até {{date}} e terminou. Assim que pagar, voltamos a configurá-lo com os mesmos dados de acesso. O novo período começa nesse momento.",
  also: "Pagar em conjunto",
  alsoUntil: "{{plan}} ({{username}}): até {{date}}",
  announced: "A partir de {{date}}, cada renovação custa {{price}}.",
  lower: "Este plano custa agora {{price}}. Está a pagar {{own}}.",
  takeLower: "Mudar para {{price}}",
  gone: "De momento não é possível renovar. Nada foi cobrado.",
  held: "Vimos o seu pagamento. Enquanto é confirmado, nada é suspenso.",
  ahead: "Já pagou com toda a antecedência possível.",
  suspended: "O seu acesso está suspenso",
  ended: "O seu acesso terminou",
  stopped: "Contacte o apoio ao cliente para o reativar.",
  renewed: "Renovado até {{date}}",
  each: "{{plan}}: até {{date}}",
  waiting: "Renova {{plan}} até {{date}}.",
  sameDetails: "Os seus dados de acesso mantêm-se.",
  decline: "Não quero renovar",
  declineLead:
    "O seu acesso funciona até {{date}} e depois termina. Não recebe mais lembretes e nada é cobrado.",
  declineReason: "Porquê?",
  declineConfirm: "Não renovar",
  declined: "Não quer renovar. O seu acesso funciona até {{date}} e não recebe lembretes.",
  undecline: "Afinal quero renovar",
  reason: {
    price: "Demasiado caro",
    unused: "Vejo pouco",
    channels: "Faltam canais",
    quality: "Não funciona bem",
    "other-service": "Uso outra coisa",
    other: "Outro motivo",
  },
}
