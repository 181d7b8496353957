import { expect, test } from "vitest"
import { hardcodedTextIn, textRenderedBy } from "../../tests/architecture/hardcoded-text"
import { sourceFiles } from "../../tests/architecture/source-modules"
import { keysOf } from "../../tests/architecture/translation-entries"
import { usedKeys } from "../../tests/architecture/used-translation-keys"
import { enEn } from "./translations/en-en"

const screens = sourceFiles("app").filter((file) => /\.tsx$/.test(file) && !/\.test\.tsx$/.test(file))

const { keys, unclear } = usedKeys(Object.keys(enEn))
const texts = new Set(keysOf(enEn).map((key) => key.replace(/_(one|other)$/, "")))

test("every text is said somewhere in the shop", () => {
  expect([...texts].filter((key) => !keys.has(key))).toEqual([])
})

test("everything the shop says has a text", () => {
  expect([...keys].filter((key) => !texts.has(key))).toEqual([])
})

test("it is plain of every text what it can come to", () => {
  expect(unclear).toEqual([])
})

test("no component has a sentence of its own: all words come from the languages", () => {
  const found = screens.flatMap((file) =>
    hardcodedTextIn(file).map(({ line, text }) => `${file}:${line} ${text}`),
  )
  expect(screens.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})

test.each([
  ["text between tags", "<p>Pay now</p>", "Pay now"],
  ["a text put between tags", '<p>{"Pay now"}</p>', "Pay now"],
  ["one of two texts", '<p>{late ? t("a.b") : "Pay now"}</p>', "Pay now"],
  ["a text under a condition", '<p>{late && "Pay now"}</p>', "Pay now"],
  ["text around a value", `<p>{\`Pay \${amount}\`}</p>`, "Pay"],
  ["a label for the ear", '<button aria-label="Pay now" />', "Pay now"],
  ["a text in place of a picture", '<img alt={"A shield"} />', "A shield"],
  ["a heading of a component", '<Step heading="Payment" />', "Payment"],
])("%s would be found", (_, screen, message) => {
  expect(textRenderedBy(`const Screen = () => ${screen}`)).toEqual([{ line: 1, text: message }])
})

test.each([
  '<p>{t("checkout.pay")}</p>',
  '<p className="lead wide">{kind === "plan" ? t("a.b") : t("a.c")}</p>',
  '<input name="deviceAddress" placeholder="00:1A:79:12:34:56" />',
  `<p>{paid && \`\${paid} · \`}</p>`,
])("%s says nothing by itself", (screen) => {
  expect(textRenderedBy(`const Screen = () => ${screen}`)).toEqual([])
})
