import { expect, test } from "vitest"
import { hardcodedTextIn, textRenderedBy } from "../../tests/architecture/hardcoded-text"
import { sourceFiles } from "../../tests/architecture/source-modules"
import { keysOf } from "../../tests/architecture/translation-entries"
import { isOfPages, usedKeys } from "../../tests/architecture/used-translation-keys"
import { enEn } from "./translations/en-en"

const screens = sourceFiles("app").filter((file) => /\.tsx$/.test(file) && !/\.test\.tsx$/.test(file))

const { keys, unclear } = usedKeys(Object.keys(enEn), isOfPages)
const texts = new Set(keysOf(enEn).map((key) => key.replace(/_(one|other)$/, "")))

test("every message is used in the source", () => {
  expect([...texts].filter((key) => !keys.has(key))).toEqual([])
})

test("every used message key exists", () => {
  expect([...keys].filter((key) => !texts.has(key))).toEqual([])
})

test("every message key in the source can be resolved statically", () => {
  expect(unclear).toEqual([])
})

test("no component contains hard-coded text", () => {
  const found = screens.flatMap((file) =>
    hardcodedTextIn(file).map(({ line, text }) => `${file}:${line} ${text}`),
  )
  expect(screens.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})

test.each([
  ["text between tags", "<p>Pay now</p>", "Pay now"],
  ["a string expression between tags", '<p>{"Pay now"}</p>', "Pay now"],
  ["a conditional expression", '<p>{late ? t("a.b") : "Pay now"}</p>', "Pay now"],
  ["a logical expression", '<p>{late && "Pay now"}</p>', "Pay now"],
  ["a template literal", `<p>{\`Pay \${amount}\`}</p>`, "Pay"],
  ["an aria-label attribute", '<button aria-label="Pay now" />', "Pay now"],
  ["an alt attribute", '<img alt={"A shield"} />', "A shield"],
  ["a component's heading property", '<Step heading="Payment" />', "Payment"],
])("finds hard-coded text in %s", (_, screen, message) => {
  expect(textRenderedBy(`const Screen = () => ${screen}`)).toEqual([{ line: 1, text: message }])
})

test.each([
  '<p>{t("checkout.pay")}</p>',
  '<p className="lead wide">{kind === "plan" ? t("a.b") : t("a.c")}</p>',
  '<input name="deviceAddress" placeholder="00:1A:79:12:34:56" />',
  `<p>{paid && \`\${paid} · \`}</p>`,
])("finds no hard-coded text in %s", (screen) => {
  expect(textRenderedBy(`const Screen = () => ${screen}`)).toEqual([])
})
