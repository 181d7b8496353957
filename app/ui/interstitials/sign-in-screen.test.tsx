import { describe, expect, test } from "vitest"
import { rendered } from "../../../tests/fixtures/render-screen"
import { formsIn } from "../../../tests/support/html/html-form"
import { attribute, elements, textOf } from "../../../tests/support/html/html-tree"
import { SupportContext } from "../layout/support-link"
import { SignInScreen } from "./sign-in-screen"

type Props = Parameters<typeof SignInScreen>[0]

const question: Props = {
  reason: "asked",
  email: "ana@example.test",
  form: "password",
  lastResult: null,
  retryAfterSeconds: 0,
  returned: null,
  hasMail: false,
  action: "/checkout/waiting?signin",
}
const page = (props: Partial<Props>, ...language: Parameters<typeof rendered>[1][]) =>
  rendered(
    <SupportContext value="https://help.example/">
      <SignInScreen {...question} {...props} />
    </SupportContext>,
    ...language,
  )

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
    ["asked", "See and manage your services"],
    ["needed", "Please sign in to see this page."],
    ["used-link", "This order has already been opened in another browser."],
    ["order", "Sign in to see this order."],
    ["old-link", "This link has expired. Sign in with your password, or ask support for a new link."],
    ["old-mail", "This link has expired or has already been used."],
    ["old-playlist", "This playlist address has expired."],
  ] as const)("shows why it appears (%s)", async (reason, message) => {
    expect(textOf(await page({ reason }))).toContain(message)
  })

  test.each([false, true])("says first that the payment has arrived (with mail: %s)", async (hasMail) => {
    const returned = { heading: "Paid, thank you", lead: "Continue where you ordered." }
    const document = await page({ reason: "used-link", returned, hasMail })
    const text = textOf(document)
    expect(elements(document, ({ tagName }) => tagName === "h1").map(textOf)).toEqual(["Paid, thank you"])
    expect(text).toContain("Continue where you ordered.")
    expect(text).not.toContain("already been opened")
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
    expect(message).toContain("Please try again")
    expect(message).not.toMatch(/e-mail|unknown|account/i)
  })

  test("shows how long to wait after too many attempts", async () => {
    const text = textOf(
      await page({ lastResult: refused({ "": ["signIn.tooMany"] }), retryAfterSeconds: 900 }),
    )
    expect(text).toContain("Too many attempts. Please try again in 15 minutes.")
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
      ["#sign-in-email", "Vul een geldig e-\u2060mailadres in."],
      ["#sign-in-password", "Vul je wachtwoord in."],
    ])
  })
})

describe("the sign-in screen of a shop that sends mail", () => {
  const withMail = (props: Partial<Props> = {}) => page({ hasMail: true, ...props })

  test("asks for the e-mail alone, and has the password folded", async () => {
    const document = await withMail()
    const [mail, password] = formsIn(document)
    expect(mail?.submission(mail.button({ text: "Email me a sign-in link" }), {})).toEqual({
      action: "/checkout/waiting?signin",
      method: "post",
      entries: [
        ["email", "ana@example.test"],
        ["website", ""],
        ["intent", "sign-in-mail"],
      ],
    })
    const right = { password: "long enough" }
    expect(password?.submission(password.button({ text: "Connect" }), right).entries).toContainEqual([
      "intent",
      "sign-in",
    ])
    expect(attribute(detailsOf(document), "open")).toBeNull()
  })

  test.each([
    ["a wrong password", "password", { "": ["signIn.wrong"] }, true],
    ["a missing password", "password", { password: ["signIn.passwordRequired"] }, true],
    ["an invalid e-mail for the message", "mail", { email: ["checkout.email.invalid"] }, false],
  ] as const)("has the password %s", async (_, form, error, isOpen) => {
    const lists = Object.fromEntries(Object.entries(error).map(([name, list]) => [name, [...list]]))
    const document = await withMail({ form, lastResult: refused(lists) })
    expect(attribute(detailsOf(document), "open") !== null).toBe(isOpen)
  })

  test("shows why it appears, and how it works", async () => {
    expect(textOf(await withMail())).toContain("We’ll email you a link. No password.")
    const text = textOf(await withMail({ reason: "old-link" }))
    expect(text).toContain("This link has expired. We’ll email you a link. No password.")
    expect(text).not.toMatch(/support/i)
  })

  test("hides the field for robots from people", async () => {
    const [field] = elements(await withMail(), (it) => attribute(it, "name") === "website")
    expect(field && [attribute(field, "tabindex"), attribute(field, "autocomplete")]).toEqual(["-1", "off"])
  })
})

function detailsOf(document: Parameters<typeof elements>[0]) {
  const [details] = elements(document, ({ tagName }) => tagName === "details")
  if (!details) throw new Error("No details")
  return details
}
