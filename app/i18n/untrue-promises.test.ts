import { expect, test } from "vitest"
import { deDe } from "./translations/de-de"
import { enEn } from "./translations/en-en"
import { enGb } from "./translations/en-gb"
import { esEs } from "./translations/es-es"
import { nlNl } from "./translations/nl-nl"
import { ptPt } from "./translations/pt-pt"

const translations = Object.entries({ deDe, enEn, enGb, esEs, nlNl, ptPt })

/** An e-mail address alone opens no order and no service: both need a password or a sign-in link. */
const findsByEmail =
  /found again|find your order again|wiederfinden|finden .* wieder|recuperar tu|voltar a encontrar|terug(te)? ?vinden|vind je .* terug/i

test.each(translations)("in %s no message promises that an e-mail address finds an order", (_, messages) => {
  expect(textsIn(messages).filter(([, text]) => findsByEmail.test(text))).toEqual([])
})

function textsIn(messages: object, path = ""): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]): [string, string][] => {
    const key = path === "" ? name : `${path}.${name}`
    return typeof value === "string" ? [[key, value]] : textsIn(value, key)
  })
}
