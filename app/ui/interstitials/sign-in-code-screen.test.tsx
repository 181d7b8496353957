import { describe, expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { SignInCodeScreen } from "./sign-in-code-screen"
import { SignInLinkScreen } from "./sign-in-link-screen"

type Props = Parameters<typeof SignInCodeScreen>[0]

const question: Props = {
  email: "Ana@example.test",
  isSentAgain: false,
  lastResult: null,
  retryAfterSeconds: 0,
  action: "/checkout/success?signin",
  sender: "tv@shop.test",
  support: null,
}
const page = (props: Partial<Props> = {}, ...language: Parameters<typeof rendered>[1][]) =>
  rendered(<SignInCodeScreen {...question} {...props} />, ...language)
const refused = (code: string, error: Record<string, string[]>) => ({
  status: "error" as const,
  initialValue: { code },
  error,
})

describe("the screen for the code", () => {
  test("submits the code", async () => {
    const [form] = formsIn(await page())
    expect(form?.submission(form.button({ text: "Sign in" }), { code: "481702" })).toEqual({
      action: "/checkout/success?signin",
      method: "post",
      entries: [
        ["code", "481702"],
        ["intent", "sign-in-code"],
      ],
    })
  })

  test("has a field for digits that a phone fills in from the message", async () => {
    const [field] = elements(await page(), (it) => attribute(it, "name") === "code")
    const names = ["inputmode", "autocomplete", "type"]
    expect(field && names.map((name) => attribute(field, name))).toEqual(["numeric", "one-time-code", "text"])
    expect(field && attribute(field, "aria-describedby")).toBe("sign-in-code-code-note")
  })

  test.each(["en-en", "de-de", "es-es", "nl-nl", "pt-pt", "en-gb"] as const)(
    "promises a message only to a customer, with the e-mail as typed (%s)",
    async (locale) => {
      const document = await page({}, locale)
      const [email] = elements(document, ({ tagName }) => tagName === "strong").map(textOf)
      expect(email).toBe("Ana@example.test")
      expect(textOf(document)).toMatch(/If you’ve|Wenn Sie|Si has|Als je|Se comprou/)
      expect(textOf(document)).toContain("tv@shop.test")
    },
  )

  test("sends the message again, and leads to another e-mail and to support", async () => {
    const document = await page({ support: "mailto:help@shop.test" })
    const [, again] = formsIn(document)
    expect(again?.submission(again.button({ text: "Send it again" }), {}).entries).toEqual([
      ["email", "Ana@example.test"],
      ["website", ""],
      ["intent", "sign-in-mail"],
    ])
    const links = elements(document, ({ tagName }) => tagName === "a").map((it) => attribute(it, "href"))
    expect(links).toEqual(["/checkout/success?signin=email", "mailto:help@shop.test"])
    expect(elements(await page(), ({ tagName }) => tagName === "a")).toHaveLength(1)
  })

  test("says that another message is on its way", async () => {
    expect(textOf(await page({ isSentAgain: true }))).toContain("Only the newest one works.")
    expect(textOf(await page())).not.toContain("newest")
  })

  test.each([
    ["signIn.code.invalid", "Enter the 6 digits from the message."],
    ["signIn.code.wrong", "That isn’t the code. Check the newest message."],
    ["signIn.code.ended", "This code no longer works. Send a new one below."],
  ])("says at the field what is wrong, and keeps what was typed (%s)", async (key, message) => {
    const document = await page({ lastResult: refused("481 70", { code: [key] }) })
    const [field] = elements(document, (it) => attribute(it, "aria-invalid") === "true")
    expect(field && [attribute(field, "value"), attribute(field, "name")]).toEqual(["481 70", "code"])
    const [alert] = elements(document, (it) => attribute(it, "role") === "alert")
    expect(alert && textOf(alert)).toBe(message)
  })

  test("shows how long to wait after too many tries", async () => {
    const lastResult = refused("481702", { "": ["signIn.tooMany"] })
    const text = textOf(await page({ lastResult, retryAfterSeconds: 840 }))
    expect(text).toContain("Too many attempts. Please try again in 14 minutes.")
  })
})

test("the page of a sign-in link has one button, and names whom it signs in", async () => {
  const action = "/checkout/success?sign-in=token"
  const document = await rendered(<SignInLinkScreen email="ana@example.test" action={action} />)
  const forms = formsIn(document)
  expect(forms.map((it) => it.submission(it.button({ text: "Sign in" }), {}))).toEqual([
    { action, method: "post", entries: [] },
  ])
  expect(textOf(document)).toContain("You’re signing in as ana@example.test.")
})
