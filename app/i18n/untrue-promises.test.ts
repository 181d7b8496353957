import { expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { loadCatalogue } from "./i18n"

const translations = await Promise.all(
  locales.map(async ({ code }) => [code, await loadCatalogue(code)] as const),
)

/** The texts that the server alone renders; both Englishes say the same. */
const screens = import.meta.glob<Record<string, object>>("./screen-texts/*.ts", { eager: true })
const screenTextsIn = (code: string) =>
  screens[`./screen-texts/${code === "en-gb" ? "en-en" : code}.ts`] ?? {}

/** An e-mail address alone opens no order and no service: both need a password or a sign-in link. */
const findsByEmail =
  /found again|find your order again|wiederfinden|finden .* wieder|recuperar tu|voltar a encontrar|terug(te)? ?vinden|vind je .* terug/i

test.each(translations)("in %s no message promises that an e-mail address finds an order", (_, messages) => {
  expect(textsIn(messages).filter(([, text]) => findsByEmail.test(text))).toEqual([])
})

/** Nothing is charged by itself later: every renewal is an order of its own. */
const billsAgain =
  /billed|every \d+ (months|years)|a year\b|monatliche zahlung|alle \d+ (monate|jahre)|pro jahr|abonnement|pago mensual|cada \d+ (meses|años)|al año|pagamento mensal|a cada \d+|por ano|maandelijkse|per (\d+ )?(maanden|jaar)/i

test.each(translations)("in %s no message promises that a plan is billed again", (_, messages) => {
  expect(textsIn(messages).filter(([, text]) => billsAgain.test(text))).toEqual([])
})

/** How long an outage takes is not known: where billing has named a time, the text has that one. */
const inAMinute = /in a minute|in einer minute|en un minuto|over een minuut|dentro de um minuto/i

test.each(translations)("in %s no message of an outage promises its end in a minute", (_, messages) => {
  expect(textsIn(messages).filter(([, text]) => inAMinute.test(text))).toEqual([])
})

/** Texts that are shown only where support is configured. */
const withSupport = [
  "emailLink.askSupport",
  "forget.note",
  "frame.support",
  "fraud.support",
  "invoice.still",
  "renewal.stopped",
  "lines.stopped",
  "signIn.page.askForLink",
  "signIn.code.support",
  "signIn.noPassword",
  "signIn.page.oldLink",
  "success.notes.label",
  "success.support",
  "unpaid.support",
]

test.each(translations)(
  "in %s no other message sends to support, which a shop may not have",
  (code, messages) => {
    const texts = [messages, ...Object.values(screenTextsIn(code))].flatMap((it) => textsIn(it))
    const naming = texts.filter(([, text]) => /support|soporte|\bapoio\b/i.test(text)).map(([key]) => key)
    expect(naming.filter((key) => !withSupport.includes(key))).toEqual([])
    expect(naming.length).toBeGreaterThan(10)
  },
)

function textsIn(messages: object, path = ""): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]): [string, string][] => {
    const key = path === "" ? name : `${path}.${name}`
    return typeof value === "string" ? [[key, value]] : textsIn(value, key)
  })
}
