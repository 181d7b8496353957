import { describe, expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { SignInScreen } from "./sign-in-screen"

type Props = Parameters<typeof SignInScreen>[0]

const question: Props = {
  reason: "asked",
  email: "ana@example.test",
  lastResult: null,
  retryAfterSeconds: 0,
  action: "/checkout/waiting?signin",
}
const page = (props: Partial<Props>, ...language: Parameters<typeof rendered>[1][]) =>
  rendered(<SignInScreen {...question} {...props} />, ...language)

/** What the server answers to a refused form. */
const refused = (error: Record<string, string[]>) => ({
  status: "error" as const,
  initialValue: { email: "ana@example.test" },
  error,
})

describe("the sign-in screen", () => {
  test("submits e-mail and password to the requested page with the Connect button", async () => {
    const [form] = formsIn(await page({}))
    const connect = form?.button({ text: "Connect" })
    expect(form?.submission(connect, { password: "long enough" })).toEqual({
      action: "/checkout/waiting?signin",
      method: "post",
      entries: [
        ["email", "ana@example.test"],
        ["password", "long enough"],
        ["intent", "sign-in"],
      ],
    })
  })

  test("has autocomplete attributes for saved credentials", async () => {
    const fields = elements(await page({}), (it) => attribute(it, "autocomplete") !== null)
    expect(fields.map((it) => attribute(it, "autocomplete"))).toEqual(["username", "current-password"])
  })

  test.each([
    ["asked", "See your access and change it"],
    ["needed", "This page needs you to be signed in."],
    ["used-link", "This order has already been opened in another browser."],
    ["old-link", "This link has expired."],
  ] as const)("shows why it appears (%s)", async (reason, message) => {
    expect(textOf(await page({ reason }))).toContain(message)
  })

  test("links back to the plans and explains sign-in without a password", async () => {
    const document = await page({}, "de-de")
    expect(elements(document, (it) => attribute(it, "href") === "/de-de").map(textOf)).toEqual([
      "Zurück zu den Paketen",
    ])
    expect(textOf(document)).toContain("Noch kein Passwort?")
  })
})

describe("a rejected sign-in form", () => {
  test("does not reveal whether the e-mail is known", async () => {
    const [alert] = elements(
      await page({ lastResult: refused({ "": ["signIn.wrong"] }) }),
      (it) => attribute(it, "role") === "alert",
    )
    const message = alert && textOf(alert)
    expect(message).toContain("Please check both fields")
    expect(message).not.toMatch(/e-mail|unknown|account/i)
  })

  test("shows how long to wait after too many attempts", async () => {
    const text = textOf(
      await page({ lastResult: refused({ "": ["signIn.tooMany"] }), retryAfterSeconds: 900 }),
    )
    expect(text).toContain("Too many tries. Please try again in 15 min.")
  })

  test("keeps the e-mail but not the password", async () => {
    const [email, password] = elements(
      await page({ lastResult: refused({ "": ["signIn.wrong"] }) }),
      ({ tagName }) => tagName === "input",
    )
    expect(email && attribute(email, "value")).toBe("ana@example.test")
    expect(password && attribute(password, "value")).toBeNull()
  })

  test("shows a missing field at the field and in the error summary", async () => {
    const errors = { email: ["checkout.email.invalid"], password: ["signIn.passwordRequired"] }
    const document = await page({ lastResult: refused(errors) }, "nl-nl")
    const marked = elements(document, (it) => attribute(it, "aria-invalid") === "true")
    expect(marked.map((it) => attribute(it, "id"))).toEqual(["sign-in-email", "sign-in-password"])
    const described = marked.map((it) => attribute(it, "aria-describedby"))
    expect(described).toEqual(["sign-in-email-error", "sign-in-password-error"])
    const links = elements(document, (it) => attribute(it, "href")?.startsWith("#") ?? false)
    expect(links.map((it) => [attribute(it, "href"), textOf(it)])).toEqual([
      ["#sign-in-email", "Vul een geldig e-mailadres in."],
      ["#sign-in-password", "Vul je wachtwoord in."],
    ])
  })
})
