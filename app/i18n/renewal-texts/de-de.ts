import type { RenewalTranslation } from "./translation"

export const deDe: RenewalTranslation = {
  heading: "Verlängern",
  paidUntil: "Bezahlt bis {{date}}.",
  until: "Bis {{date}} verlängern",
  grace:
    "Ihre Zeit ist am {{date}} abgelaufen. Verlängern Sie bis {{graceEnd}}, dann wird nichts unterbrochen: Die neue Zeit schließt an die alte an.",
  later: "Ihre Zeit ist am {{date}} abgelaufen. Die neue Zeit beginnt mit Ihrer Zahlung.",
  resumed:
    "Ihr Zugang ist gesperrt, weil er nur bis {{date}} bezahlt war. Sobald Sie bezahlt haben, funktioniert er wieder, mit denselben Zugangsdaten. Die neue Zeit beginnt dann.",
  new: "Ihr Zugang war bis {{date}} bezahlt und ist beendet. Sobald Sie bezahlt haben, richten wir ihn wieder ein, mit denselben Zugangsdaten. Die neue Zeit beginnt dann.",
  also: "Zusammen bezahlen",
  alsoUntil: "{{plan}} ({{username}}): bis {{date}}",
  announced: "Ab {{date}} kostet eine Verlängerung {{price}}.",
  lower: "Dieser Tarif kostet jetzt {{price}}. Sie zahlen {{own}}.",
  takeLower: "Zu {{price}} wechseln",
  gone: "Das lässt sich im Moment nicht verlängern. Es wurde nichts abgebucht.",
  held: "Wir haben Ihre Zahlung gesehen. Solange sie bestätigt wird, wird nichts gesperrt.",
  ahead: "Sie haben so weit im Voraus bezahlt, wie es möglich ist.",
  suspended: "Ihr Zugang ist gesperrt",
  ended: "Ihr Zugang ist beendet",
  stopped: "Bitte wenden Sie sich an den Support, damit er wieder freigegeben wird.",
  renewed: "Verlängert bis {{date}}",
  each: "{{plan}}: bis {{date}}",
  waiting: "Verlängert {{plan}} bis {{date}}.",
  sameDetails: "Ihre Zugangsdaten bleiben dieselben.",
  decline: "Ich möchte nicht verlängern",
  declineLead:
    "Ihr Zugang funktioniert bis {{date}} und endet dann. Sie bekommen keine Erinnerungen mehr, und es wird nichts abgebucht.",
  declineReason: "Warum?",
  declineConfirm: "Nicht verlängern",
  declined:
    "Sie möchten nicht verlängern. Ihr Zugang funktioniert bis {{date}}, und Sie bekommen keine Erinnerungen.",
  undecline: "Ich möchte doch verlängern",
  reason: {
    price: "Zu teuer",
    unused: "Ich schaue zu wenig",
    channels: "Es fehlen Sender",
    quality: "Es läuft nicht gut",
    "other-service": "Ich nutze etwas anderes",
    other: "Ein anderer Grund",
  },
  balance: {
    on: "Zum Ende wird dieser Dienst für {{price}} aus Ihrem Guthaben ({{credit}}) verlängert, wenn es reicht. Sonst wird nie etwas abgebucht.",
    stop: "Nicht mehr aus dem Guthaben verlängern",
    off: "Sie haben {{credit}} Guthaben. Wenn Sie möchten, verlängern wir diesen Dienst zum Ende für {{price}} daraus. Sie können das jederzeit beenden.",
    start: "Aus dem Guthaben verlängern",
  },
  lines: {
    paidUntil: "bezahlt bis {{date}}",
    select: "{{name}} auswählen",
    extend: "Ausgewählte verlängern, je 1 Credit",
    extended: "Verlängert, für je einen Credit.",
    notExtended:
      "Es wurde nichts verlängert: Bitte wählen Sie Leitungen aus; für jede brauchen Sie einen Credit.",
    cancel: "Gegen den Credit stornieren",
    cancelLead:
      "Die Zugangsdaten gelten sofort nicht mehr, und Sie bekommen den Credit zurück. Bis {{time}}, solange die Leitung weder verlängert noch an ein Gerät gebunden ist.",
    cancelConfirm: "Diese Leitung stornieren",
    cancelled: "Die Leitung ist storniert, und der Credit gehört wieder Ihnen.",
    notCancelled: "Diese Leitung lässt sich nicht mehr stornieren.",
    filterLabel: "Welche Leitungen angezeigt werden",
    filter: {
      all: "Alle",
      ending: "Enden in 7 Tagen",
      ended: "Beendet",
    },
    page: "Seite {{page}} von {{pages}}",
    previous: "Zurück",
    next: "Weiter",
    empty: "Solche Leitungen gibt es nicht.",
  },
}
