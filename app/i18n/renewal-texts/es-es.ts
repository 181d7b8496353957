import type { RenewalTranslation } from "./translation"

export const esEs: RenewalTranslation = {
  heading: "Renovar",
  paidUntil: "Pagado hasta el {{date}}.",
  until: "Renovar hasta el {{date}}",
  grace:
    "Tu periodo terminó el {{date}}. Si renuevas hasta el {{graceEnd}}, no se interrumpe nada: el nuevo periodo sigue al anterior.",
  later: "Tu periodo terminó el {{date}}. El nuevo empieza con tu pago.",
  resumed:
    "Tu acceso está suspendido porque estaba pagado hasta el {{date}}. Volverá a funcionar en cuanto pagues, con los mismos datos de acceso. El nuevo periodo empieza entonces.",
  new: "Tu acceso estaba pagado hasta el {{date}} y ha terminado. En cuanto pagues lo configuramos otra vez, con los mismos datos de acceso. El nuevo periodo empieza entonces.",
  also: "Pagar a la vez",
  alsoUntil: "{{plan}} ({{username}}): hasta el {{date}}",
  announced: "A partir del {{date}} cada renovación cuesta {{price}}.",
  lower: "Este plan cuesta ahora {{price}}. Tú pagas {{own}}.",
  takeLower: "Cambiar a {{price}}",
  gone: "No se puede renovar en este momento. No se ha cobrado nada.",
  held: "Hemos visto tu pago. Mientras se confirma, no se suspende nada.",
  ahead: "Has pagado con toda la antelación posible.",
  suspended: "Tu acceso está suspendido",
  ended: "Tu acceso ha terminado",
  stopped: "Ponte en contacto con el soporte para reactivarlo.",
  renewed: "Renovado hasta el {{date}}",
  each: "{{plan}}: hasta el {{date}}",
  waiting: "Renueva {{plan}} hasta el {{date}}.",
  sameDetails: "Tus datos de acceso no cambian.",
  decline: "No quiero renovar",
  declineLead:
    "Tu acceso funciona hasta el {{date}} y después termina. No recibirás más recordatorios ni se te cobrará nada.",
  declineReason: "¿Por qué?",
  declineConfirm: "No renovar",
  declined: "No quieres renovar. Tu acceso funciona hasta el {{date}} y no recibirás recordatorios.",
  undecline: "Al final sí quiero renovar",
  reason: {
    price: "Demasiado caro",
    unused: "Lo veo poco",
    channels: "Faltan canales",
    quality: "No se ve bien",
    "other-service": "Uso otra cosa",
    other: "Otro motivo",
  },
}
