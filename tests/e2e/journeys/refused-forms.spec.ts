import { expect, type Page } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { esEs } from "~/i18n/translations/es-es"
import type { Translation } from "~/i18n/translations/translation"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { buyForPage, giveSession } from "../../fixtures/purchase-for-page"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { signInLink } from "../../fixtures/sign-in-link"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT, scriptRuns, unfold } from "../../support/browser/page-actions"
import { invalidFieldsIn } from "../../support/html/form-errors"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deepUnless } from "../tags"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })

const PASSWORD = "correct horse battery staple"

type RefusedForm = {
  name: string
  /** Path of the page, after the language. */
  path: string
  /** A session that sees the form. */
  who: keyof typeof sessions
  id: string
  /** Value of its button, if it has one. */
  intent?: string
  fields: Record<string, string>
  /** The refused field, a value that is accepted, and the message. */
  wrong: string
  right: string
  message: (translation: Translation) => string
  secrets?: string[]
  /** The page has no script, whatever the browser. */
  isPlain?: boolean
}

const forms: RefusedForm[] = [
  {
    name: "the checkout",
    path: "",
    who: "anybody",
    id: "order",
    intent: "pay",
    fields: { email: "ana@example" },
    wrong: "email",
    right: "ana@example.test",
    message: ({ checkout }) => checkout.email.invalid,
  },
  {
    name: "the sign-in by password",
    path: "/?signin",
    who: "anybody",
    id: "sign-in",
    intent: "sign-in",
    fields: { email: "ana@example", password: PASSWORD },
    wrong: "email",
    right: "ana@example.test",
    message: ({ checkout }) => checkout.email.invalid,
    secrets: ["password"],
    isPlain: true,
  },
  {
    name: "a reseller's sign-up",
    path: "/resellers",
    who: "anybody",
    id: "order",
    intent: "pay",
    fields: { email: "ana@example.test", newPassword: PASSWORD, confirmPassword: "another" },
    wrong: "confirmPassword",
    right: PASSWORD,
    message: ({ resellers }) => resellers.notSame,
    secrets: ["newPassword", "confirmPassword"],
  },
  {
    name: "a device address",
    path: "/success",
    who: "buyer",
    id: "device",
    intent: "device",
    fields: { deviceAddress: "not a device" },
    wrong: "deviceAddress",
    right: "00-1a-79-ab-cd-ef",
    message: ({ device }) => device.invalid,
  },
  {
    name: "notes",
    path: "/success",
    who: "buyer",
    id: "notes",
    intent: "notes",
    fields: { notes: "x".repeat(1_001) },
    wrong: "notes",
    right: "living room",
    message: ({ success }) => success.notes.tooLong,
  },
  {
    name: "a password",
    path: "/success",
    who: "signed in",
    id: "password",
    intent: "password",
    fields: { password: "tulips" },
    wrong: "password",
    right: PASSWORD,
    message: ({ password }) => password.tooShort,
    secrets: ["password"],
  },
  {
    name: "a reseller's line",
    path: "/resellers/success",
    who: "reseller",
    id: "new-line",
    fields: { notes: "x".repeat(101) },
    wrong: "notes",
    right: "Leo, living room",
    message: ({ resellers }) => resellers.line.tooLong,
  },
]

/** Opens a session that sees the form. */
const sessions = {
  anybody: async () => {},
  async buyer(browser: Browser, email = uniqueEmail()) {
    await waitForAccess(await payAt(await goToGateway(await chooseAndPay(browser, { shop, email }))))
  },
  async "signed in"(browser: Browser) {
    const email = uniqueEmail()
    await sessions.buyer(browser, email)
    await browser.visit(signInLink(shop, email))
  },
  async reseller(browser: Browser) {
    await becomeReseller(browser, { shop, email: uniqueEmail("reseller"), password: PASSWORD })
  },
}

async function browserFor({ who }: RefusedForm): Promise<Browser> {
  const browser = new Browser({ "user-agent": BROWSER_AGENT })
  await sessions[who](browser)
  return browser
}

const languages = [
  { prefix: "", translation: enEn, isShort: false },
  { prefix: "/de-de", translation: deDe, isShort: true },
  { prefix: "/es-es", translation: esEs, isShort: false },
]

for (const { prefix, translation, isShort } of languages) {
  for (const form of forms) {
    const language = prefix.slice(1, 3) || "en"
    const title = `${form.name} is refused with its error and what was typed, in ${language}`
    const request = { form, url: `/checkout${prefix}${form.path || "/"}`, message: form.message(translation) }
    test(`without script ${title}`, deepUnless(isShort), () => refuseWithoutScript(request))
    test(`with script ${title}`, deepUnless(isShort && form.path === ""), ({ page }) =>
      refuseWithScript(page, request),
    )
  }
}

type Refusal = { form: RefusedForm; url: string; message: string }

async function refuseWithoutScript({ form, url, message }: Refusal) {
  const { intent, fields, wrong, secrets = [] } = form
  const browser = await browserFor(form)
  const page = await browser.visit(`${shop.url}${url}`)
  const refused = await page.submit(
    intent ? { button: { value: intent }, fields } : { having: wrong, fields },
  )
  expect(refused.status).toBe(400)
  expect(invalidFieldsIn(refused.body)).toEqual({ [wrong]: message })
  for (const [name, typed] of Object.entries(fields)) {
    expect([name, refused.body.includes(typed)]).toEqual([name, !secrets.includes(name)])
  }
}

async function refuseWithScript(page: Page, { form, url, message }: Refusal) {
  const { id, fields, wrong, right, secrets = [], isPlain = false } = form
  await giveSession(page, shop, await browserFor(form))
  await page.goto(`${shop.url}${url}`)
  if (!isPlain) await scriptRuns(page)
  await page.evaluate(prepare)
  const input = (name: string) => page.locator(`#${id} [name="${name}"]`)
  const isRefused = async () => {
    await expect(input(wrong)).toHaveAttribute("aria-invalid", "true")
    await expect(input(wrong)).toHaveAccessibleDescription(message)
  }
  for (const [name, typed] of Object.entries(fields)) await input(name).fill(typed)
  await input(wrong).blur()
  if (!isPlain) await isRefused()
  await page.locator(`#${id} button:visible`).last().click()
  await isRefused()
  // What the browser checks has not left it, so the passwords are still there.
  for (const [name, typed] of Object.entries(fields)) {
    await expect(input(name)).toHaveValue(isPlain && secrets.includes(name) ? "" : typed)
  }
  if (isPlain) return
  await expect(input(wrong)).toBeFocused()
  await input(wrong).fill(right)
  await expect(input(wrong)).not.toHaveAttribute("aria-invalid", "true")
}

/** Opens what is folded, and lets a browser type more than a form takes. */
function prepare() {
  for (const folded of document.querySelectorAll("details")) folded.open = true
  for (const field of document.querySelectorAll("[maxlength], [minlength]")) {
    field.removeAttribute("maxlength")
    field.removeAttribute("minlength")
  }
}

test("a press on the button submits the form, although it leaves a field with an error", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await buyForPage(page, shop)
  await scriptRuns(page)
  const field = await unfold(page, "[name=deviceAddress]")
  await field.fill("not a device")
  await page.locator('button[value="device"]').click()
  await expect(field).toHaveAttribute("aria-invalid", "true")
  await expect(field).toBeFocused()
})

test("an empty field that was left gets no error when another field is left", async ({ page }) => {
  await page.goto(`${shop.url}/checkout/`)
  await scriptRuns(page)
  const email = page.locator("[name=email]")
  const gateway = page.locator("[name=gateway]").first()
  const plan = page.locator("[name=plan]").first()
  for (const field of [email, gateway, plan, gateway]) await field.focus()
  await expect(email).not.toHaveAttribute("aria-invalid", "true")
  await email.fill("ana@example")
  await plan.focus()
  await expect(email).toHaveAttribute("aria-invalid", "true")
})

test("a form sent after the session has ended loads the sign-in screen", async ({ page }) => {
  await buyForPage(page, shop)
  await scriptRuns(page)
  await page.context().clearCookies()
  await (await unfold(page, "[name=deviceAddress]")).fill("00:1A:79:12:34:56")
  await page.locator('button[value="device"]').click()
  await expect(page.locator("h1")).toHaveText(enEn.signIn.heading)
  await expect(page.locator('[name=email][autocomplete="username"]')).toBeAttached()
})
