import type { RenewalTranslation } from "./translation"

export const nlNl: RenewalTranslation = {
  heading: "Verlengen",
  paidUntil: "Betaald tot {{date}}.",
  until: "Verlengen tot {{date}}",
  grace:
    "Je tijd is op {{date}} verlopen. Verleng je uiterlijk op {{graceEnd}}, dan wordt er niets onderbroken: de nieuwe tijd sluit aan op de oude.",
  later: "Je tijd is op {{date}} verlopen. De nieuwe tijd begint met je betaling.",
  resumed:
    "Je toegang is geblokkeerd, omdat die tot {{date}} betaald was. Zodra je hebt betaald, werkt hij weer met dezelfde inloggegevens. De nieuwe tijd begint dan.",
  new: "Je toegang was betaald tot {{date}} en is beëindigd. Zodra je hebt betaald, stellen we hem weer in met dezelfde inloggegevens. De nieuwe tijd begint dan.",
  also: "Samen betalen",
  alsoUntil: "{{plan}} ({{username}}): tot {{date}}",
  announced: "Vanaf {{date}} kost een verlenging {{price}}.",
  lower: "Dit pakket kost nu {{price}}. Jij betaalt {{own}}.",
  takeLower: "Overstappen naar {{price}}",
  gone: "Dit kan op dit moment niet worden verlengd. Er is niets in rekening gebracht.",
  held: "We hebben je betaling gezien. Zolang die wordt bevestigd, wordt er niets opgeschort.",
  ahead: "Je hebt zo ver vooruitbetaald als mogelijk is.",
  suspended: "Je toegang is geblokkeerd",
  ended: "Je toegang is beëindigd",
  stopped: "Neem contact op met support om hem weer te laten openen.",
  renewed: "Verlengd tot {{date}}",
  each: "{{plan}}: tot {{date}}",
  waiting: "Verlengt {{plan}} tot {{date}}.",
  sameDetails: "Je inloggegevens blijven dezelfde.",
  decline: "Ik wil niet verlengen",
  declineLead:
    "Je toegang werkt tot {{date}} en eindigt dan. Je krijgt geen herinneringen meer en er wordt niets in rekening gebracht.",
  declineReason: "Waarom?",
  declineConfirm: "Niet verlengen",
  declined: "Je wilt niet verlengen. Je toegang werkt tot {{date}} en je krijgt geen herinneringen.",
  undecline: "Ik wil toch verlengen",
  reason: {
    price: "Te duur",
    unused: "Ik kijk te weinig",
    channels: "Er ontbreken zenders",
    quality: "Het speelt niet goed af",
    "other-service": "Ik gebruik iets anders",
    other: "Een andere reden",
  },
}
