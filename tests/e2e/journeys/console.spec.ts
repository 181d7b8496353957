import { TOTP } from "otpauth"
import { expect, type Page } from "playwright/test"
import { accessibilityViolations } from "../../support/browser/accessibility-checks"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"
import { deep, deepUnless } from "../tags"

const PASSWORD = "seven grey otters waiting"
/** A code is accepted a step ahead of its time, so no test waits for the clock. */
const STEP = 30_000

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})
test.use({ userAgent: BROWSER_AGENT })
test.setTimeout(400_000)

const console = () => `${shop.url}/checkout/admin`

async function admin(...args: string[]): Promise<string> {
  const { output, errorOutput, exitCode } = await runServerCommand(["admin", ...args], {
    DATA_DIR: shop.dataDir,
    PUBLIC_URL: shop.url,
  })
  expect([exitCode, errorOutput]).toEqual([0, ""])
  return output
}

const linkIn = (output: string) => /https?:\S+/.exec(output)?.[0] ?? ""

/** Opens a one-time link and sets up the access as a person does. Returns app and recovery codes. */
async function setUp(page: Page, link: string) {
  await page.goto(link)
  const secret = (await page.locator(".mono").innerText()).replaceAll(" ", "")
  const code = (ahead = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + ahead })
  await page.getByLabel("New password").fill(PASSWORD)
  await page.getByLabel("The same password again").fill(PASSWORD)
  await page.getByLabel("Code from the app").fill(code())
  await page.getByRole("button", { name: "Set up and sign in" }).click()
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your recovery codes")
  const recoveryCodes = await page.locator(".codes .mono").allInnerTexts()
  await page.getByRole("link", { name: "I have saved them, go on" }).click()
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview")
  return { code, recoveryCodes }
}

async function signIn(page: Page, email: string, code: string) {
  await page.goto(console())
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByLabel("Code").fill(code)
  await page.getByRole("button", { name: "Sign in" }).click()
}

async function signOut(page: Page) {
  await page.getByRole("button", { name: "Sign out" }).first().click()
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to the console")
}

test("the console is 404 until the first operator is added", async ({ page, sharedShop }) => {
  // A shop of its own, since the other tests add operators.
  const { url, dataDir } = await sharedShop({ ADMIN_IDLE_MINUTES: "59" })
  for (const path of ["", "/sign-in", "/account"]) {
    expect((await page.goto(`${url}/checkout/admin${path}`))?.status()).toBe(404)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  }
  const env = { DATA_DIR: dataDir, PUBLIC_URL: url }
  const args = ["admin", "operators", "add", "first@shop.test", "--role", "owner"]
  expect((await runServerCommand(args, env)).exitCode).toBe(0)
  expect((await page.goto(`${url}/checkout/admin`))?.status()).toBe(200)
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to the console")
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled })

    test(
      "an operator is added, sets up the access, signs out and in by code and recovery code, and is disabled",
      deepUnless(!javaScriptEnabled),
      async ({ page }) => {
        const email = `marta-${javaScriptEnabled}@shop.test`
        const link = linkIn(await admin("operators", "add", email, "--role", "owner"))
        const { code, recoveryCodes } = await setUp(page, link)
        expect((await page.goto(link))?.status()).toBe(410)
        await page.goto(console())
        await signOut(page)
        await page.goto(`${console()}/account`)
        await expect(page).toHaveURL(/admin\/sign-in\?to=%2Fadmin%2Faccount$/)

        await signIn(page, email, "000000")
        await expect(page.getByRole("alert")).toContainText("Email, password or code is wrong.")
        await signIn(page, email, code(STEP))
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview")
        await signOut(page)
        await signIn(page, email, recoveryCodes[0] ?? "")
        await page.goto(`${console()}/account`)
        await expect(page.locator("main")).toContainText("9 recovery codes are left.")
        await page.goto(`${console()}/audit`)
        await expect(page.locator("main")).toContainText("sign-in")

        await admin("operators", "disable", email)
        await page.reload()
        await expect(page).toHaveURL(/admin\/sign-in\?to=%2Fadmin%2Faudit$/)
        await signIn(page, email, recoveryCodes[1] ?? "")
        await expect(page.getByRole("alert")).toBeVisible()
      },
    )

    test(
      "an owner adds a colleague by a one-time link, who signs in; later the owner ends that access",
      deepUnless(!javaScriptEnabled),
      async ({ page, browser }) => {
        // axe needs script.
        const expectAccessible = async () => {
          if (javaScriptEnabled) expect(await accessibilityViolations(page)).toEqual([])
        }
        const owner = `owner-${javaScriptEnabled}@shop.test`
        const colleague = `jonas-${javaScriptEnabled}@shop.test`
        await setUp(page, linkIn(await admin("operators", "add", owner, "--role", "owner")))
        await page.goto(`${console()}/operators`)
        await page.getByLabel("Email", { exact: true }).fill(colleague)
        await page.getByLabel("viewer: can see").check()
        await page.getByLabel("Reason").fill("new colleague")
        await page.getByRole("button", { name: "Add an operator" }).click()
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("One-time link")
        await expectAccessible()
        const link = await page.locator(".mono").innerText()

        const theirs = await (await browser.newContext({ userAgent: BROWSER_AGENT })).newPage()
        const { code } = await setUp(theirs, link)
        await page.getByRole("link", { name: "I’ve sent it" }).click()
        await page.getByRole("link", { name: colleague }).click()
        await expect(page.locator("main")).toContainText("1 open session")
        await expectAccessible()
        await page.getByText("Disable", { exact: true }).first().click()
        await page.locator("details[open]").getByLabel("Reason").fill("has left")
        await page.locator("details[open]").getByRole("button", { name: "Disable" }).click()
        await expect(page.locator("main")).toContainText(`${colleague} was disabled.`)
        await theirs.reload()
        await expect(theirs).toHaveURL(/admin\/sign-in$/)
        await signIn(theirs, colleague, code(STEP))
        await expect(theirs.getByRole("alert")).toBeVisible()
        await theirs.context().close()
      },
    )
  })
}

test(
  "the pages of the console are accessible, on a phone and in dark, and load no script but their own",
  deep,
  async ({ page }) => {
    const scripts: string[] = []
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url())
    })
    const link = linkIn(await admin("operators", "add", "accessible@shop.test", "--role", "owner"))
    await page.goto(link)
    expect(await accessibilityViolations(page)).toEqual([])
    await setUp(page, link)
    for (const path of ["", "/account", "/audit", "/jobs", "/operators", "/services?late=yes"]) {
      await page.goto(`${console()}${path}`)
      expect({ path, found: await accessibilityViolations(page) }).toEqual({ path, found: [] })
    }
    await page.goto(`${console()}`)
    await signOut(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(scripts.filter((url) => !/\/assets\/console-[\w-]+\.js$/.test(url))).toEqual([])
  },
)
